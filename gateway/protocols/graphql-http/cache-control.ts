import type { FastifyReply } from 'fastify'
import { addVary } from '../../../foundation/http/vary.ts'
import type { CachePolicy } from '../../caching/cache-policy.ts'

/** Returns the Cache-Control header of a response; undefined with errors or without a policy. */
export function cacheControlOf(
  policy: CachePolicy | undefined,
  { errors }: { readonly errors?: readonly unknown[] | undefined },
): string | undefined {
  if (policy === undefined || (errors !== undefined && errors.length > 0)) return undefined
  return `max-age=${policy.maxAge}, ${policy.scope.toLowerCase()}`
}

/**
 * Sets Vary: the format depends on Accept, and a private response on the caller, since a browser may have had another user before. @param callers -
 * headers that identify callers
 */
export function varyByRequest(reply: FastifyReply, { scope }: CachePolicy, callers: readonly string[]): void {
  addVary(reply, 'Accept', ...(scope === 'PRIVATE' ? callers : []))
}
