import type { FaultCode } from '../fault.ts'

/** HTTP statuses of faults for every protocol (GraphQL, REST, subgraph server); does not compile while a code is missing. */
export const faultStatus = {
  BAD_USER_INPUT: 422,
  MALFORMED: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  LIMIT_EXCEEDED: 400,
  ENGINE_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 503,
  OVERLOADED: 503,
  OUTCOME_UNKNOWN: 504,
  INTERNAL: 500,
} as const satisfies Record<FaultCode, number>

export function isFaultCode(code: unknown): code is FaultCode {
  return typeof code === 'string' && Object.hasOwn(faultStatus, code)
}
