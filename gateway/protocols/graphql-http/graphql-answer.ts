import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { retryAfterSeconds } from '../../../foundation/fault.ts'
import { faultStatus, isFaultCode } from '../../../foundation/http/fault-status.ts'
import { refusalOf } from '../../errors/refusal.ts'

/** Codes of errors that prevented the execution because the operation is invalid. */
const unfit = new Set<unknown>(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT', 'OPERATION_RESOLUTION_FAILURE'])

/**
 * Returns the HTTP status of a GraphQL response where it differs from Apollo Server's. @param accept - the Accept header; only a client that names
 * application/json gets the 200 recommended for it
 * @returns undefined: as Apollo Server (200, or the status of the error)
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
  if (codes.includes('UNAUTHORIZED_FIELD_OR_TYPE')) return 403
  if (codes.includes('INTERNAL')) return 500
  if (codes.includes('OUTCOME_UNKNOWN')) return faultStatus.OUTCOME_UNKNOWN
  if (codes.some((code) => isFaultCode(code) && faultStatus[code] === 503)) return 503
  return undefined
}

/** Returns the value of `Retry-After`: whole seconds, at least 1. */
export function retryAfterOf({ errors = [] }: { readonly errors?: readonly (GraphQLError | GraphQLFormattedError)[] | undefined }): string {
  const waits = errors.map(({ extensions }) => Number(extensions?.retryAfterMs ?? 0))
  return retryAfterSeconds(Math.max(...waits))
}

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
