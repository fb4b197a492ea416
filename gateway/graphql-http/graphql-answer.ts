import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { Fault } from '../../subgraphs/foundation/fault.ts'

/** Errors that say that the operation was never executed because of what it is. */
const unfit = new Set<unknown>(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT', 'OPERATION_RESOLUTION_FAILURE'])

/**
 * The HTTP status of a GraphQL answer, where it is ours to say.
 * @param accept - the Accept header. Only a client that names application/json gets the 200 that the specification recommends for it
 * @returns undefined: as Apollo Server has it (200, or the status that the error carries)
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-application-json
 */
export function httpStatus(
  result: { readonly data?: unknown; readonly errors?: readonly (GraphQLError | GraphQLFormattedError)[] | undefined },
  accept: string | undefined,
): number | undefined {
  if (result.data !== undefined || result.errors === undefined) return undefined
  const codes = result.errors.map((error) => error.extensions?.code)
  if (codes.every((code) => unfit.has(code)))
    return /\bapplication\/json\b/i.test(accept ?? '') && !/graphql-response/i.test(accept ?? '') ? 200 : 400
  if (codes.includes('LIMIT_EXCEEDED')) return 400
  if (codes.includes('INTERNAL')) return 500
  if (codes.some((code) => code === 'ENGINE_UNAVAILABLE' || code === 'DEADLINE_EXCEEDED')) return 503
  return undefined
}

/** The body of an answer, byte for byte as Apollo Server writes it. */
export function answerBody({ errors, data, extensions }: ExecutionResult): string {
  return `${JSON.stringify({ errors, data, extensions })}\n`
}

const statusOfFault: Partial<Record<Fault['code'], number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  ENGINE_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 503,
  INTERNAL: 500,
}

/** A refusal before any operation is looked at, with its HTTP status and headers where Apollo Server reads them. */
export function refusalOf(thrown: unknown): GraphQLError {
  if (!(thrown instanceof Fault))
    return thrown instanceof GraphQLError
      ? thrown
      : new GraphQLError('Internal server error', { originalError: thrown instanceof Error ? thrown : new Error(String(thrown)) })
  const status = statusOfFault[thrown.code] ?? 400
  const headers = new Map(status === 401 ? [['www-authenticate', 'Bearer realm="civigraph"']] : [])
  if (thrown.details.retryAfterMs !== undefined) headers.set('retry-after', String(Math.ceil(thrown.details.retryAfterMs / 1000)))
  return new GraphQLError(thrown.message, { originalError: thrown, extensions: { ...thrown.extensions, http: { status, headers } } })
}
