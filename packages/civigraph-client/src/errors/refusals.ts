import {
  CivigraphError,
  ConflictError,
  ForbiddenError,
  type InputEntry,
  InternalError,
  InvalidCredentialsError,
  InvalidInputError,
  NoAnswerError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  type RefusalDetails,
  UnauthenticatedError,
  UnavailableError,
} from './civigraph-error.ts'

type ErrorClass = new (message: string, details?: RefusalDetails, cause?: unknown) => CivigraphError

/** Error class by code. Other codes become the class of the status, or a plain CivigraphError without one. */
export const classByCode: Readonly<Record<string, ErrorClass>> = {
  BAD_USER_INPUT: InvalidInputError,
  MALFORMED: InvalidInputError,
  TOO_LARGE: InvalidInputError,
  LIMIT_EXCEEDED: InvalidInputError,
  GRAPHQL_PARSE_FAILED: InvalidInputError,
  GRAPHQL_VALIDATION_FAILED: InvalidInputError,
  BAD_REQUEST: InvalidInputError,
  UNAUTHENTICATED: UnauthenticatedError,
  INVALID_CREDENTIALS: InvalidCredentialsError,
  FORBIDDEN: ForbiddenError,
  UNAUTHORIZED_FIELD_OR_TYPE: ForbiddenError,
  NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  RATE_LIMITED: RateLimitedError,
  ENGINE_UNAVAILABLE: UnavailableError,
  DEADLINE_EXCEEDED: UnavailableError,
  OVERLOADED: UnavailableError,
  OUTCOME_UNKNOWN: OutcomeUnknownError,
  INTERNAL: InternalError,
}

const classByStatus: Readonly<Record<number, ErrorClass>> = {
  400: InvalidInputError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidInputError,
  422: InvalidInputError,
  429: RateLimitedError,
  500: InternalError,
  503: UnavailableError,
  504: OutcomeUnknownError,
}

/** An entry of `errors` in a GraphQL response or event. */
export interface GraphqlRefusal {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the error as an instance of its class. @param status - HTTP status, where the whole operation was refused */
export function errorOf({ message, path, extensions = {} }: GraphqlRefusal, status?: number): CivigraphError {
  const code = textOf(extensions.code)
  const Refused = classByCode[code ?? ''] ?? classByStatus[status ?? 0] ?? CivigraphError
  return new Refused(message, {
    code,
    status,
    path,
    entries: Array.isArray(extensions.entries) ? (extensions.entries as InputEntry[]) : undefined,
    retryAfterMs: typeof extensions.retryAfterMs === 'number' ? extensions.retryAfterMs : undefined,
    requestId: textOf(extensions.requestId),
  })
}

/** Returns the reason that a subscription ended: graphql-ws reports a closed connection as a close event, a lost one as an error. */
export function errorOfClose(thrown: unknown): CivigraphError {
  if (thrown instanceof CivigraphError) return thrown
  const { code, reason } = (thrown ?? {}) as { readonly code?: unknown; readonly reason?: unknown }
  if (code === 4401) return new UnauthenticatedError('The credentials of the connection are not valid', { code: 'UNAUTHENTICATED' }, thrown)
  return new NoAnswerError(code === undefined ? 'The connection was lost' : `The connection was closed: ${code} ${reason}`, {}, thrown)
}

/** Returns the refusal of a REST operation as an instance of its class. @param body - parsed body, `{detail}` */
export function errorOfResponse({ status, statusText, headers }: Response, body: unknown): CivigraphError {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined
  const entries = Array.isArray(detail)
    ? detail.filter(isRestEntry).map(({ type, loc, msg }) => ({ code: type, path: loc, message: msg }))
    : []
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  const isSignIn = status === 401 && typeof body === 'object' && body !== null && 'error' in body && body.error === 'invalid_grant'
  const Refused = isSignIn ? InvalidCredentialsError : (classByStatus[status] ?? CivigraphError)
  return new Refused(sentenceOf(detail, entries) ?? `${status} ${statusText}`.trim(), {
    status,
    entries,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
  })
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function sentenceOf(detail: unknown, entries: readonly InputEntry[]): string | undefined {
  const messages = entries.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  return typeof detail === 'string' ? detail : messages || undefined
}

interface RestEntry {
  readonly type: string
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

function isRestEntry(entry: unknown): entry is RestEntry {
  const { type, loc, msg } = (entry ?? {}) as Partial<Record<keyof RestEntry, unknown>>
  return typeof type === 'string' && typeof msg === 'string' && Array.isArray(loc)
}
