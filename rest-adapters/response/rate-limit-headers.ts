import { z } from 'zod'

const Policy = z.object({ name: z.string().regex(/^[a-z-]+$/), quota: z.int(), seconds: z.int() })

/**
 * Where a refused caller stands with the limit that it met.
 * @param policy - of the fault, where it names one   @param waitSeconds - as in Retry-After
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function rateLimitHeaders(policy: unknown, waitSeconds: string): Readonly<Record<string, string>> {
  const known = Policy.safeParse(policy)
  if (!known.success) return {}
  const { name, quota, seconds } = known.data
  return { 'ratelimit-policy': `"${name}";q=${quota};w=${seconds}`, ratelimit: `"${name}";r=0;t=${waitSeconds}` }
}
