import type { FastifyReply } from 'fastify'

/** Adds request headers to Vary, keeping those set before (Origin for CORS). */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const said = reply.getHeader('vary')
  const all = [...(said === undefined ? [] : [String(said)]), ...names]
  if (all.length > 0) reply.header('vary', all.join(', '))
}
