const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Waits between the tries as the Standard Webhooks specification proposes them: with the first try ten in about 75 hours. */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

const longestRetryAfterMs = 24 * hour

/**
 * @param tries - made so far, 1 or more
 * @param chance - 0 to 1: the wait is so spread over plus or minus a tenth that callbacks which failed together do not come again together
 * @param retryAfterMs - what the receiver asked for: waited for when it is longer, up to a day
 * @returns milliseconds until the next try; undefined when the tries are used up
 */
export function waitAfter(tries: number, chance: number, retryAfterMs = 0): number | undefined {
  const wait = waitsMs[tries - 1]
  return wait === undefined ? undefined : Math.round(Math.max(wait * (0.9 + 0.2 * chance), Math.min(retryAfterMs, longestRetryAfterMs)))
}

/** Retry-After of RFC 9110, section 10.2.3: seconds, or a date. @returns milliseconds; undefined when it says nothing */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * second : Date.parse(header) - now
  return wait > 0 ? wait : undefined
}
