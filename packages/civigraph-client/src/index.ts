/**
 * GraphQL, subscriptions, sessions and errors. Documents are in `@civigraph/client/documents`, REST clients in `@civigraph/client/rest`.
 */
export { afterVote, type VotedExpression } from './caches/after-vote.ts'
export {
  CivigraphError,
  ConflictError,
  ForbiddenError,
  InternalError,
  InvalidCredentialsError,
  InvalidInputError,
  NoAnswerError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
} from './errors/civigraph-error.ts'
export { errorOf, errorOfResponse } from './errors/refusals.ts'
export { type Following, follow } from './graphql/follow.ts'
export {
  type Answer,
  createGraphqlClient,
  type ExecuteOptions,
  type GraphqlClient,
  type GraphqlClientOptions,
} from './graphql/graphql-client.ts'
export { createHttpSession, type HttpSession, type SessionEnd, type SessionOptions, type SessionTokens } from './graphql/http-session.ts'
export { resumable } from './graphql/resumable.ts'
export { createSession, type Session, signIn } from './graphql/session.ts'
export { createSubscriptionClient, type SubscriptionClientOptions } from './graphql/subscription-client.ts'
export { boundedFetch } from './http/bounded-fetch.ts'
