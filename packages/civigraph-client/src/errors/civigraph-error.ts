/** An input field that breaks a rule. Over REST `path` begins with body, query, path or header and uses the REST names. */
export interface InputEntry {
  /** rule, for programs */
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Details of a refusal, besides its message. */
export interface RefusalDetails {
  /** code from docs/errors.md; undefined over REST, where the status identifies the error */
  readonly code?: string | undefined
  /** HTTP status; undefined for a refused field of an operation and over WebSocket */
  readonly status?: number | undefined
  /** path of the refused field */
  readonly path?: readonly (string | number)[] | undefined
  readonly entries?: readonly InputEntry[] | undefined
  /** delay in ms before a retry is worthwhile */
  readonly retryAfterMs?: number | undefined
  /** identifies the request in the platform's logs */
  readonly requestId?: string | undefined
}

/** An error that the platform returned. Its message is the platform's. */
export class CivigraphError extends Error implements RefusalDetails {
  readonly code: string | undefined
  readonly status: number | undefined
  readonly path: readonly (string | number)[]
  readonly entries: readonly InputEntry[]
  readonly retryAfterMs: number | undefined
  readonly requestId: string | undefined

  constructor(message: string, details: RefusalDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = details.code
    this.status = details.status
    this.path = details.path ?? []
    this.entries = details.entries ?? []
    this.retryAfterMs = details.retryAfterMs
    this.requestId = details.requestId
  }
}

/** The input breaks a rule; `entries` name the fields. A retry with the same input fails again. */
export class InvalidInputError extends CivigraphError {}
/** Credentials are missing or no longer valid. */
export class UnauthenticatedError extends CivigraphError {}
/** A wrong email, password or refresh token. Only the user can correct it. */
export class InvalidCredentialsError extends CivigraphError {}
/** The credentials are valid but do not permit the operation. */
export class ForbiddenError extends CivigraphError {}
/** The object does not exist, or belongs to another caller. */
export class NotFoundError extends CivigraphError {}
/** The request conflicts with the current state. */
export class ConflictError extends CivigraphError {}
/** Rate limit exceeded; retry after `retryAfterMs`. */
export class RateLimitedError extends CivigraphError {}
/** The platform is unavailable and stored nothing; retry the same request after `retryAfterMs`. */
export class UnavailableError extends CivigraphError {}
/** The platform may have stored the request. Read the current state, or retry with the same idempotency key or id. */
export class OutcomeUnknownError extends CivigraphError {}
/** An internal error of the platform; report `requestId`. */
export class InternalError extends CivigraphError {}
/** The platform did not respond in time, or an intermediary responded in its place. The platform may have stored the request. */
export class NoAnswerError extends CivigraphError {}
