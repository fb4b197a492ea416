import type { FastifyReply } from 'fastify'
import type { CachePolicy } from '../caching/cache-policy.ts'
import { addVary } from './vary.ts'

/** What answers say of how long they may be kept; nothing where errors came or no policy allows it. */
export function cacheControlOf(
  policy: CachePolicy | undefined,
  { errors }: { readonly errors?: readonly unknown[] | undefined },
): string | undefined {
  if (policy === undefined || (errors !== undefined && errors.length > 0)) return undefined
  return `max-age=${policy.maxAge}, ${policy.scope.toLowerCase()}`
}

/**
 * The form of an answer that may be kept depends on what its client accepts, and one that is private on who asks: a browser may have been
 * another person's a minute before.
 * @param callers - names of the headers by which callers differ
 */
export function varyByRequest(reply: FastifyReply, { scope }: CachePolicy, callers: readonly string[]): void {
  addVary(reply, 'Accept', ...(scope === 'PRIVATE' ? callers : []))
}
