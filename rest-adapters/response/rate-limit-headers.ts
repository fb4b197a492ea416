import { z } from 'zod'

const Policy = z.object({ name: z.string().regex(/^[a-z-]+$/), quota: z.int(), seconds: z.int() })

/** How a caller stands with a limit, as a mutation answers it (`RateLimit` of the graph). */
export const RateLimitStanding = Policy.extend({ remaining: z.int(), resetSeconds: z.int() })
export type RateLimitStanding = z.output<typeof RateLimitStanding>

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
export function rateLimitHeaders({ name, quota, seconds, remaining, resetSeconds }: RateLimitStanding): Readonly<Record<string, string>> {
  return { 'ratelimit-policy': `"${name}";q=${quota};w=${seconds}`, ratelimit: `"${name}";r=${remaining};t=${resetSeconds}` }
}

/**
 * Where a refused caller stands with the limit that it met.
 * @param policy - of the fault, where it names one   @param waitSeconds - as in Retry-After
 */
export function metLimitHeaders(policy: unknown, waitSeconds: string): Readonly<Record<string, string>> {
  const known = Policy.safeParse(policy)
  return known.success ? rateLimitHeaders({ ...known.data, remaining: 0, resetSeconds: Number(waitSeconds) }) : {}
}
