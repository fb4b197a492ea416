import type { FastifyReply } from 'fastify'

/** Says which headers of the request an answer depends on, beside those that were said before (of CORS the origin). */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const said = reply.getHeader('vary')
  const all = [...(said === undefined ? [] : [String(said)]), ...names]
  if (all.length > 0) reply.header('vary', all.join(', '))
}
