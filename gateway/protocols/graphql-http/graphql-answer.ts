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
