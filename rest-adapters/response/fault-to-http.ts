import { retryAfterSeconds } from '../../foundation/fault.ts'
import { faultStatus } from '../../foundation/http/fault-status.ts'
import { refusalOf } from '../../gateway/errors/refusal.ts'
import { type InvalidEntry, InvalidRequest, invalidRequestBody } from './invalid-request.ts'
import { metLimitHeaders } from './rate-limit-headers.ts'
import { inRestSpelling, isViolation, type PlaceOf, violationEntry } from './violation-entry.ts'

/** A refusing response. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text */
  readonly body: string
}

/** The challenge of a 401 (RFC 9110, section 11.6.1). The last two are those of RFC 6750: no credentials, or invalid ones. */
export type Challenge = 'APIKey' | 'Bearer, APIKey' | 'no token' | 'another token'

/** `{"detail": "<sentence>"}` */
export function refusal(status: number, sentence: string, headers: Readonly<Record<string, string>> = {}): Refusal {
  return { status, headers, body: JSON.stringify({ detail: sentence }) }
}

/**
 * Returns the refusing response for a thrown value or the first error of an operation. @param placeOf - location of a violation in the request
 * @returns undefined for a bug
 */
export function httpRefusal(thrown: unknown, challenge: Challenge, placeOf: PlaceOf = inBody): Refusal | undefined {
  if (thrown instanceof InvalidRequest) return { status: 422, headers: {}, body: invalidRequestBody(thrown) }
  const fault = refusalOf(thrown)
  // a bug has been logged and masked already
  if (fault === undefined || fault.code === 'INTERNAL') return undefined
  const { code, details } = fault
  const sentence = inRestSpelling(fault.message)
  const status = faultStatus[code]
  if (status === 422) {
    const violations = Array.isArray(details.entries) ? details.entries.filter(isViolation) : []
    const entries = violations.length > 0 ? violations.map((violation) => violationEntry(violation, placeOf)) : [general(sentence)]
    return { status, headers: {}, body: invalidRequestBody(new InvalidRequest(entries)) }
  }
  if (status === 401) {
    // a wrong password: adds the RFC 6749 error code to the message
    const { error } = details
    if (error === 'invalid_grant')
      return { status, headers: { 'www-authenticate': realm }, body: JSON.stringify({ detail: sentence, error }) }
    return refusal(status, sentence, { 'www-authenticate': challengeText(challenge, 'invalid_token', sentence) })
  }
  if (status === 403 && challenge === 'another token')
    return refusal(status, sentence, { 'www-authenticate': challengeText(challenge, 'insufficient_scope', sentence) })
  const wait = retryAfterSeconds(details.retryAfterMs)
  if (status === 429) return refusal(status, sentence, { 'retry-after': wait, ...metLimitHeaders(details.policy, wait) })
  if (status === 503) return refusal(status, sentence, { 'retry-after': wait })
  return refusal(status, sentence)
}

const realm = 'Bearer realm="civigraph"'

/** RFC 6750, section 3: without credentials no error is given. */
function challengeText(challenge: Challenge, error: string, sentence: string): string {
  if (challenge === 'no token') return realm
  return challenge === 'another token'
    ? `${realm}, error="${error}", error_description="${sentence.replace(/[^\x20-\x7e]|["\\]/g, '')}"`
    : challenge
}

const inBody: PlaceOf = (path) => ['body', ...path]

function general(sentence: string): InvalidEntry {
  return { type: 'value_error', loc: ['body'], msg: sentence }
}
