/** A member of an input that breaks a rule; over REST, where the names differ, `path` begins with body, query, path or header. */
export interface InputEntry {
  /** which rule, for programs */
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What a refusal says beside its sentence. */
export interface RefusalDetails {
  /** as docs/errors.md lists them; undefined over REST, where the status stands for it */
  readonly code?: string | undefined
  /** of the HTTP answer; undefined where a field of an operation was refused, or over WebSocket */
  readonly status?: number | undefined
  /** of the field that was refused */
  readonly path?: readonly (string | number)[] | undefined
  readonly entries?: readonly InputEntry[] | undefined
  /** ms until it is worth trying again */
  readonly retryAfterMs?: number | undefined
  /** for whoever looks into the platform's logs */
  readonly requestId?: string | undefined
}

/** What the platform has refused. Its message is the platform's sentence. */
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

/** What was sent breaks a rule; `entries` say which. The same again is refused again. */
export class InvalidInputError extends CivigraphError {}
/** No credentials, or such as are no longer valid. */
export class UnauthenticatedError extends CivigraphError {}
/** The credentials are valid and do not suffice. */
export class ForbiddenError extends CivigraphError {}
/** There is no such thing, or it is somebody else's. */
export class NotFoundError extends CivigraphError {}
/** It contradicts what is there. */
export class ConflictError extends CivigraphError {}
/** Too often; wait `retryAfterMs`. */
export class RateLimitedError extends CivigraphError {}
/** Not now. Nothing was taken in: send the same again after `retryAfterMs`. */
export class UnavailableError extends CivigraphError {}
/** It may have been taken in, and nobody can tell: look, or send it again under the same key or id. */
export class OutcomeUnknownError extends CivigraphError {}
/** A fault of the platform; report `requestId`. */
export class InternalError extends CivigraphError {}
/** The platform was not reached, said nothing in time, or something between here and there has answered. What was sent may have been taken in. */
export class NoAnswerError extends CivigraphError {}
