import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { retryAfterSeconds } from '../../foundation/fault.ts'
import { refusalOf } from '../errors/refusal.ts'
import { faultStatus, isFaultCode } from '../http/fault-status.ts'

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
  if (codes.includes('UNAUTHORIZED_FIELD_OR_TYPE')) return 403
  if (codes.includes('INTERNAL')) return 500
  if (codes.includes('OUTCOME_UNKNOWN')) return faultStatus.OUTCOME_UNKNOWN
  if (codes.some((code) => isFaultCode(code) && faultStatus[code] === 503)) return 503
  return undefined
}

/** Whole seconds, at least 1, after which what was refused may be sent again, as `Retry-After` has it. */
export function retryAfterOf({ errors = [] }: { readonly errors?: readonly (GraphQLError | GraphQLFormattedError)[] | undefined }): string {
  const waits = errors.map(({ extensions }) => Number(extensions?.retryAfterMs ?? 0))
  return retryAfterSeconds(Math.max(...waits))
}

/** The body of an answer, byte for byte as Apollo Server writes it. */
export function answerBody({ errors, data, extensions }: ExecutionResult): string {
  return `${JSON.stringify({ errors, data, extensions })}\n`
}

/** Why a request was refused before any operation was looked at, with the HTTP status and headers where Apollo Server reads them. */
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
