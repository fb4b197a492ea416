/** A clock passed as a parameter, so that tests can set the time. */
export interface Clock {
  /** milliseconds since 1970-01-01T00:00:00Z */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Tolerated clock skew of a sender, ms. An event further in the future would stay at the top of every newest-first list. */
const maxAheadMs = 5 * 60_000

/** Returns `at` if it is at most 5 minutes after `now`, else undefined. @param now - ms since 1970 */
export function notAhead(at: Date, now: number): Date | undefined {
  if (at.getTime() > now + maxAheadMs) return undefined
  return at.getTime() > now ? new Date(now) : at
}

/** Formats a time as RFC 3339 in UTC with milliseconds and `Z`, the form of every response. */
export function rfc3339(at: Date | number): string {
  return (typeof at === 'number' ? new Date(at) : at).toISOString()
}
