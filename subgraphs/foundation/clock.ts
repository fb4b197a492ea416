/** The time as a parameter, so that a test can be at any moment. */
export interface Clock {
  /** milliseconds since 1970-01-01T00:00:00Z */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** RFC 3339 in UTC with milliseconds and `Z`: the one spelling of a time in every answer. */
export function rfc3339(at: Date | number): string {
  return (typeof at === 'number' ? new Date(at) : at).toISOString()
}
