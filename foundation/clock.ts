/** The time as a parameter, so that a test can be at any moment. */
export interface Clock {
  /** milliseconds since 1970-01-01T00:00:00Z */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** By how much the clock of a sender may be ahead. Beyond it, what it sends would head every list that begins with the newest. */
const maxAheadMs = 5 * 60_000

/** Returns a moment that a sender gives: now when it is at most 5 minutes ahead, undefined beyond that. @param now - ms since 1970 */
export function notAhead(at: Date, now: number): Date | undefined {
  if (at.getTime() > now + maxAheadMs) return undefined
  return at.getTime() > now ? new Date(now) : at
}

/** RFC 3339 in UTC with milliseconds and `Z`: the one spelling of a time in every answer. */
export function rfc3339(at: Date | number): string {
  return (typeof at === 'number' ? new Date(at) : at).toISOString()
}
