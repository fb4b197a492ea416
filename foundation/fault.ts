import { invalid, sentenceOf, type Violation } from './validation/violation.ts'

/** Error codes shared by all protocol adapters. Their HTTP statuses: gateway/http/fault-status.ts. */
export type FaultCode =
  | 'BAD_USER_INPUT'
  | 'MALFORMED'
  | 'UNAUTHENTICATED'
  | 'INVALID_CREDENTIALS'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'TOO_LARGE'
  | 'RATE_LIMITED'
  | 'LIMIT_EXCEEDED'
  | 'ENGINE_UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'OVERLOADED'
  | 'OUTCOME_UNKNOWN'
  | 'INTERNAL'

/** A rate limit: `limit` requests per window of seconds. */
export interface RatePolicy {
  /** lower-case letters and hyphens */
  readonly name: string
  readonly quota: number
  readonly seconds: number
}

/** Details that a caller may see. Never contains an image, a token, a name or the address of an engine. */
export interface FaultDetails {
  readonly entries?: readonly Violation[]
  readonly retryAfterMs?: number
  /** RATE_LIMITED only: the limit that was exceeded */
  readonly policy?: RatePolicy
  readonly [more: string]: unknown
}

/** Returns the value of `Retry-After`: whole seconds, at least 1 (RFC 9110, section 10.2.3). @param waitMs - 1 s if it is not a number */
export const retryAfterSeconds = (waitMs: unknown): string =>
  String(Math.max(1, Math.ceil((typeof waitMs === 'number' ? waitMs : 1000) / 1000)))

/** An expected failure. Callers see its message; its cause is only logged. Any other thrown error is a bug. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly details: FaultDetails

  constructor(code: FaultCode, message: string, details: FaultDetails = {}, cause?: unknown) {
    // an invalid argument may fail for each item of a list, and the stack takes longer than all else
    const { stackTraceLimit } = Error
    if (code === 'BAD_USER_INPUT' || code === 'MALFORMED') Error.stackTraceLimit = 0
    super(message, cause === undefined ? undefined : { cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = new.target.name
    this.code = code
    this.details = details
  }

  /** graphql-js copies this to the GraphQLError; the gateway masks errors without a code. */
  get extensions(): Readonly<Record<string, unknown>> {
    return { ...this.details, code: this.code }
  }
}

/** Invalid input. The code is the one that GraphQL servers commonly use. */
export class InvalidInput extends Fault {
  /** @param entries - each invalid member; by default one that concerns the input as a whole */
  constructor(message: string, entries: readonly Violation[] = [invalid([], message)]) {
    super('BAD_USER_INPUT', message, { entries })
  }
}

/** Returns the error of several invalid members. */
export const invalidInput = (violations: readonly Violation[]): InvalidInput =>
  new InvalidInput(violations.slice(0, maxSentences).map(sentenceOf).join('; '), violations)

/** @throws {InvalidInput} with all violations, if there are any */
export function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length > 0) throw invalidInput(violations)
}

/** sentences in one message; `entries` have all of them */
const maxSentences = 20

export class Unauthenticated extends Fault {
  constructor(message = 'Not authenticated') {
    super('UNAUTHENTICATED', message)
  }
}

export class Forbidden extends Fault {
  constructor(message = 'Not allowed') {
    super('FORBIDDEN', message)
  }
}

export class NotFound extends Fault {
  constructor(message = 'Not Found') {
    super('NOT_FOUND', message)
  }
}

/** A backing service did not answer or had no capacity. */
export class EngineUnavailable extends Fault {
  constructor(engine: string, cause?: unknown, retryAfterMs = 1000) {
    super('ENGINE_UNAVAILABLE', `The ${engine} is not available; try again`, { retryAfterMs, engine }, cause)
  }
}

export class DeadlineExceeded extends Fault {
  constructor(message = 'The request exceeded its time limit: try again, or request less at once', cause?: unknown) {
    super('DEADLINE_EXCEEDED', message, { retryAfterMs: 1000 }, cause)
  }
}

/** New work was refused before it began because too much work is queued. */
export class Overloaded extends Fault {
  constructor(retryAfterMs = 1000) {
    super('OVERLOADED', 'The server is overloaded; try again', { retryAfterMs })
  }
}

/** The request may have been executed: its outcome was lost or came too late. */
export class OutcomeUnknown extends Fault {
  constructor(cause?: unknown) {
    super(
      'OUTCOME_UNKNOWN',
      'The request may have been executed, but its outcome is unknown: check the result, or send it again with the same key or id',
      {},
      cause,
    )
  }
}

/** Returns the code of a thrown Node, PostgreSQL or undici error (ENOENT, 55P03, UND_ERR_SOCKET), or ''. */
export const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '')

/** Returns the message of a thrown value, for logs and health checks. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join('; ')
  return thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
}
