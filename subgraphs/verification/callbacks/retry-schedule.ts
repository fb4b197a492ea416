const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Intervals between attempts as the Standard Webhooks specification proposes: ten attempts in about 75 hours. */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

const maxRetryAfterMs = 24 * hour

/**
 * @param tries - attempts so far, 1 or more
 * @param chance - 0 to 1: spreads the interval by plus or minus 10 %, so that callbacks that failed together are not retried together
 * @param retryAfterMs - interval requested by the receiver: used when longer, up to a day
 * @returns milliseconds until the next attempt; undefined after the last one
 */
export function waitAfter(tries: number, chance: number, retryAfterMs = 0): number | undefined {
  const wait = waitsMs[tries - 1]
  return wait === undefined ? undefined : Math.round(Math.max(wait * (0.9 + 0.2 * chance), Math.min(retryAfterMs, maxRetryAfterMs)))
}

/** Parses Retry-After (RFC 9110, section 10.2.3): seconds or a date. @returns milliseconds; undefined when absent or invalid */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * second : Date.parse(header) - now
  return wait > 0 ? wait : undefined
}
