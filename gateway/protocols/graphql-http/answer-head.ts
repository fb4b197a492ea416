import type { FastifyReply } from 'fastify'
import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import Negotiator from 'negotiator'
import { retryAfterSeconds } from '../../../foundation/fault.ts'
import { addVary } from '../../../foundation/http/content.ts'
import { faultStatus, isFaultCode } from '../../../foundation/http/fault-status.ts'
import type { CachePolicy } from '../../caching/cache-policy.ts'

/** A complete response, before or after its errors were formatted. */
interface CompleteResult {
  readonly data?: unknown
  readonly errors?: readonly (GraphQLError | GraphQLFormattedError)[] | undefined
}

/** Status and headers of a complete response. */
export interface AnswerHead {
  /** undefined: 200, or the status of a refusal before execution */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
}

const json = 'application/json; charset=utf-8'
const graphqlJson = 'application/graphql-response+json; charset=utf-8'

/**
 * Decides status and headers of a complete response. @param accept - the Accept header
 * @param cachePolicy - how long it may be cached without errors
 * @see https://graphql.github.io/graphql-over-http/draft/#sec-Response
 */
export function answerHead(result: CompleteResult, accept: string | undefined, cachePolicy?: CachePolicy): AnswerHead {
  const status = statusOf(result, accept)
  const contentType = contentTypeOf(accept)
  const cacheControl = cacheControlOf(cachePolicy, result)
  return {
    status,
    headers: {
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
      ...(status === 503 && { 'retry-after': retryAfterOf(result) }),
    },
  }
}

/** Answers for the Accept headers of common clients, which repeat. */
const negotiated = new Map<string, string | undefined>()
const maxNegotiated = 200
/** Longer Accept headers are not cached. */
const maxAcceptLength = 256

/**
 * Negotiates the media type of a complete response: the preferred one, or for equal preference `application/json`, also without an Accept header (RFC
 * 9110, 12.5.1).
 * @returns undefined if the client accepts neither (406)
 */
export function contentTypeOf(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return json
  if (negotiated.has(accept)) return negotiated.get(accept)
  const contentType = new Negotiator({ headers: { accept } }).mediaTypes([json, graphqlJson])[0]
  if (accept.length <= maxAcceptLength && negotiated.size < maxNegotiated) negotiated.set(accept, contentType)
  return contentType
}

/** Codes of errors that prevented the execution because the operation is invalid. */
const invalidOperationCodes = new Set<unknown>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
])

/** Only a client that names application/json gets the 200 that is recommended for it. */
function statusOf({ data, errors }: CompleteResult, accept: string | undefined): number | undefined {
  if (data !== undefined || errors === undefined) return undefined
  const codes = errors.map((error) => error.extensions?.code)
  if (codes.every((code) => invalidOperationCodes.has(code)))
    return /\bapplication\/json\b/i.test(accept ?? '') && !/graphql-response/i.test(accept ?? '') ? 200 : 400
  if (codes.includes('LIMIT_EXCEEDED')) return 400
  if (codes.includes('UNAUTHORIZED_FIELD_OR_TYPE')) return 403
  if (codes.includes('INTERNAL')) return 500
  if (codes.includes('OUTCOME_UNKNOWN')) return faultStatus.OUTCOME_UNKNOWN
  if (codes.some((code) => isFaultCode(code) && faultStatus[code] === 503)) return 503
  return undefined
}

/** Returns the value of `Retry-After`: whole seconds, at least 1. */
export function retryAfterOf({ errors = [] }: Pick<CompleteResult, 'errors'>): string {
  const waits = errors.map(({ extensions }) => Number(extensions?.retryAfterMs ?? 0))
  return retryAfterSeconds(Math.max(...waits))
}

/** Returns the Cache-Control header of a response; undefined with errors or without a policy. */
function cacheControlOf(
  policy: CachePolicy | undefined,
  { errors }: { readonly errors?: readonly unknown[] | undefined },
): string | undefined {
  if (policy === undefined || (errors !== undefined && errors.length > 0)) return undefined
  return `max-age=${policy.maxAge}, ${policy.scope.toLowerCase()}`
}

/**
 * Sets Vary: the format depends on Accept, and a private response on the caller, since a browser may have had another user before. @param callers -
 * headers that identify callers
 */
export function varyByRequest(reply: FastifyReply, { scope }: CachePolicy, callers: readonly string[]): void {
  addVary(reply, 'Accept', ...(scope === 'PRIVATE' ? callers : []))
}
