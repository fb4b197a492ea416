import { type ExecutionResult, GraphQLError } from 'graphql'
import { retryAfterSeconds } from '../../../foundation/fault.ts'
import { faultStatus } from '../../../foundation/http/fault-status.ts'
import { refusalOf } from '../../errors/refusal.ts'

/** Serialises a response byte for byte as Apollo Server does. */
export function answerBody({ errors, data, extensions }: ExecutionResult): string {
  return `${JSON.stringify({ errors, data, extensions })}\n`
}

/** Converts a refusal before execution to an error with HTTP status and headers for Apollo Server. */
export function refusedRequest(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown
  const originalError = thrown instanceof Error ? thrown : new Error(String(thrown))
  const refusal = refusalOf(thrown)
  if (refusal === undefined) return new GraphQLError('Internal server error', { originalError })
  const { code, message, details } = refusal
  const status = faultStatus[code]
  const headers = new Map(status === 401 ? [['www-authenticate', 'Bearer realm="civigraph"']] : [])
  if (status === 429 || status === 503) headers.set('retry-after', retryAfterSeconds(details.retryAfterMs))
  return new GraphQLError(message, { originalError, extensions: { ...details, code, http: { status, headers } } })
}

/** Returns the refusal of an Accept header that admits no complete response. */
export const notAcceptable = (): GraphQLError =>
  new GraphQLError('The Accept header admits neither application/json nor application/graphql-response+json', {
    extensions: { code: 'BAD_REQUEST', http: { status: 406 } },
  })

/** Returns the refusal of a body whose members have wrong types. */
export const ofTheWrongKind = (): GraphQLError =>
  new GraphQLError('variables and extensions must be objects, operationName must be a string', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  })

/** Returns the refusal of a subscription whose response is not a stream. */
export const withoutStream = (): GraphQLError =>
  new GraphQLError(
    'Subscriptions are answered over WebSocket (graphql-transport-ws) on the same path, or here with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0',
    { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } },
  )
