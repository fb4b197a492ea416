import { z } from 'zod'

const Policy = z.object({ name: z.string().regex(/^[a-z-]+$/), quota: z.int(), seconds: z.int() })

/** The remaining quota of a caller in a mutation result (`RateLimit` of the graph). */
export const RateLimitState = Policy.extend({ remaining: z.int(), resetSeconds: z.int() })
export type RateLimitState = z.output<typeof RateLimitState>

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
export function rateLimitHeaders({ name, quota, seconds, remaining, resetSeconds }: RateLimitState): Readonly<Record<string, string>> {
  return { 'ratelimit-policy': `"${name}";q=${quota};w=${seconds}`, ratelimit: `"${name}";r=${remaining};t=${resetSeconds}` }
}

/**
 * Returns the headers for a refused caller. @param policy - of the fault, if given
 * @param waitSeconds - value of Retry-After
 */
export function metLimitHeaders(policy: unknown, waitSeconds: string): Readonly<Record<string, string>> {
  const parsed = Policy.safeParse(policy)
  return parsed.success ? rateLimitHeaders({ ...parsed.data, remaining: 0, resetSeconds: Number(waitSeconds) }) : {}
}
