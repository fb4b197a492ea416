import type { FastifyReply, FastifyRequest } from 'fastify'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Leads browsers that open the address to a page on which people write operations; whoever speaks GraphQL is answered. @param page - its path */
export const leadingTo =
  (page: string | undefined, handler: Handler): Handler =>
  async (request, reply) => {
    if (page === undefined || !isPageRequest(request)) return handler(request, reply)
    const query = request.url.indexOf('?')
    return reply.redirect(query < 0 ? page : page + request.url.slice(query), 303)
  }

/** A browser asks for HTML before anything else; clients of GraphQL do not ask for it at all. */
const isPageRequest = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /^\s*text\/html\b/i.test(headers.accept ?? '') && headers['apollo-require-preflight'] === undefined
