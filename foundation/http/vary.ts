import type { FastifyReply } from 'fastify'

/** Adds request headers to Vary, keeping those set before (Origin for CORS). */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const existing = reply.getHeader('vary')
  const all = [...(existing === undefined ? [] : [String(existing)]), ...names]
  if (all.length > 0) reply.header('vary', all.join(', '))
}
