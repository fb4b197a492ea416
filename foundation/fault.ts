import { invalid, type Violation } from './validation/violation.ts'

/** What went wrong, in the words every protocol adapter knows. Their HTTP status, for every protocol: gateway/http/fault-status.ts. */
export type FaultCode =
  | 'BAD_USER_INPUT'
  | 'MALFORMED'
  | 'UNAUTHENTICATED'
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

/** How often something may be done: so many times in so many seconds. */
export interface RatePolicy {
  /** small letters and hyphens */
  readonly name: string
  readonly quota: number
  readonly seconds: number
}

/** What a caller may know beyond the sentence. Never an image, a token, a name or an engine's address. */
export interface FaultDetails {
  readonly entries?: readonly Violation[]
  readonly retryAfterMs?: number
  /** of RATE_LIMITED: which limit it was */
  readonly policy?: RatePolicy
  readonly [more: string]: unknown
}

/** The wait as `Retry-After` has it: whole seconds, at least 1 (RFC 9110, 10.2.3). @param waitMs - anything but a number is a second */
export const retryAfterSeconds = (waitMs: unknown): string =>
  String(Math.max(1, Math.ceil((typeof waitMs === 'number' ? waitMs : 1000) / 1000)))

/** An expected failure. Its message is shown to the caller; its cause is only logged. Anything thrown that is no Fault is a bug. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly details: FaultDetails

  constructor(code: FaultCode, message: string, details: FaultDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.details = details
  }

  /** graphql-js copies this onto the GraphQLError; without a code here the gateway would mask the fault. */
  get extensions(): Readonly<Record<string, unknown>> {
    return { ...this.details, code: this.code }
  }
}

/** What was given breaks a rule. Clients of GraphQL know its code from every server. */
export class InvalidInput extends Fault {
  /** @param entries - each member that breaks one; left out, the sentence is about the whole */
  constructor(message: string, entries: readonly Violation[] = [invalid([], message)]) {
    super('BAD_USER_INPUT', message, { entries })
  }
}

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

/** A backing service does not answer, or refused for want of capacity. */
export class EngineUnavailable extends Fault {
  constructor(engine: string, cause?: unknown, retryAfterMs = 1000) {
    super('ENGINE_UNAVAILABLE', `The ${engine} is not available; try again`, { retryAfterMs, engine }, cause)
  }
}

export class DeadlineExceeded extends Fault {
  constructor(message = 'The request took longer than it may', cause?: unknown) {
    super('DEADLINE_EXCEEDED', message, { retryAfterMs: 1000 }, cause)
  }
}

/** Refused before anything was begun: too much waits already. */
export class Overloaded extends Fault {
  constructor(retryAfterMs = 1000) {
    super('OVERLOADED', 'Too much waits to be done; try again', { retryAfterMs })
  }
}

/** It may have been taken in: the answer that says so was lost, or came too late. */
export class OutcomeUnknown extends Fault {
  constructor(cause?: unknown) {
    super('OUTCOME_UNKNOWN', 'It may have been done, but the answer was lost; look, or send it again under the same key or id', {}, cause)
  }
}

/** The code of whatever was thrown, as Node, PostgreSQL or undici give it (ENOENT, 55P03, UND_ERR_SOCKET); '' where it has none. */
export const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '')

/** The sentence of whatever was thrown, for logs and health checks. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join('; ')
  return thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
}
