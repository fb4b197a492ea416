import type { GraphQLError } from 'graphql'
import { Fault, type FaultCode, type FaultEntry } from '../../subgraphs/foundation/fault.ts'
import { InvalidRequest, invalidRequestBody } from '../request/invalid-request.ts'

/** The one table from fault code to status; a new code does not compile until it has a place here. */
const statuses = {
  INVALID_INPUT: 422,
  MALFORMED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  LIMIT_EXCEEDED: 400,
  ENGINE_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 503,
  INTERNAL: 500,
} as const satisfies Record<FaultCode, number>

/** An answer that refuses. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text */
  readonly body: string
}

/**
 * How a caller proves who it is, as the challenge of a 401 says it (RFC 9110, section 11.6.1). The last two are RFC 6750's: nothing was shown
 * yet, or something that would not do.
 */
export type Challenge = 'APIKey' | 'Bearer, APIKey' | 'no token' | 'another token'

/** `{"detail": "<sentence>"}` */
export function refusal(status: number, sentence: string, headers: Readonly<Record<string, string>> = {}): Refusal {
  return { status, headers, body: JSON.stringify({ detail: sentence }) }
}

/** The refusal for anything thrown; undefined for what is no refusal but a bug. */
export function refusalOf(thrown: unknown, challenge: Challenge): Refusal | undefined {
  if (thrown instanceof InvalidRequest) return { status: 422, headers: {}, body: invalidRequestBody(thrown) }
  if (thrown instanceof Fault) return refusalOfCode(thrown.code, thrown.message, thrown.details, challenge)
  return undefined
}

/** The refusal for the errors of an operation: the first one decides. Undefined when it is a bug of ours, already logged and masked. */
export function refusalOfErrors([first]: readonly GraphQLError[], challenge: Challenge): Refusal | undefined {
  if (first === undefined) return undefined
  const { code, ...details } = first.extensions
  // What a route's rule let through and the schema refuses is bad input all the same.
  return refusalOfCode(code === 'BAD_USER_INPUT' ? 'INVALID_INPUT' : code, first.message, details, challenge)
}

function refusalOfCode(
  code: unknown,
  sentence: string,
  details: Readonly<Record<string, unknown>>,
  challenge: Challenge,
): Refusal | undefined {
  if (!isFaultCode(code) || code === 'INTERNAL') return undefined
  const status = statuses[code]
  if (status === 422) {
    const entries =
      Array.isArray(details.entries) && details.entries.length > 0 ? details.entries.filter(isEntry).map(withoutInput) : [general(sentence)]
    return { status, headers: {}, body: invalidRequestBody(new InvalidRequest(entries)) }
  }
  if (status === 401) {
    // a wrong password: RFC 6749's word for it stands beside the sentence
    const { error } = details
    if (error === 'invalid_grant')
      return { status, headers: { 'www-authenticate': realm }, body: JSON.stringify({ detail: sentence, error }) }
    return refusal(status, sentence, { 'www-authenticate': challengeText(challenge, 'invalid_token', sentence) })
  }
  if (status === 403 && challenge === 'another token')
    return refusal(status, sentence, { 'www-authenticate': challengeText(challenge, 'insufficient_scope', sentence) })
  if (status === 429 || status === 503) {
    const waitMs = typeof details.retryAfterMs === 'number' ? details.retryAfterMs : 1000
    return refusal(status, sentence, { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) })
  }
  return refusal(status, sentence)
}

const realm = 'Bearer realm="civigraph"'

/** RFC 6750, section 3: without credentials no reason is given. */
function challengeText(challenge: Challenge, error: string, sentence: string): string {
  if (challenge === 'no token') return realm
  return challenge === 'another token'
    ? `${realm}, error="${error}", error_description="${sentence.replace(/[^\x20-\x7e]|["\\]/g, '')}"`
    : challenge
}

function isFaultCode(code: unknown): code is FaultCode {
  return typeof code === 'string' && Object.hasOwn(statuses, code)
}

function general(sentence: string): FaultEntry {
  return { type: 'value_error', loc: ['body'], msg: sentence }
}

/** What the inside found is not echoed: it may have been read from anywhere. */
function withoutInput({ type, loc, msg, ctx }: FaultEntry): FaultEntry {
  return { type, loc, msg, ...(ctx === undefined ? {} : { ctx }) }
}

function isEntry(value: unknown): value is FaultEntry {
  return typeof value === 'object' && value !== null && 'loc' in value && Array.isArray(value.loc) && 'msg' in value && 'type' in value
}
