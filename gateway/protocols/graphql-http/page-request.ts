import type { FastifyReply, FastifyRequest } from 'fastify'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Redirects browsers to a page for writing operations; GraphQL clients are not redirected. @param page - its path */
export const leadingTo =
  (page: string | undefined, handler: Handler): Handler =>
  async (request, reply) => {
    if (page === undefined || !isPageRequest(request)) return handler(request, reply)
    const query = request.url.indexOf('?')
    return reply.redirect(query < 0 ? page : page + request.url.slice(query), 303)
  }

/** Browsers prefer HTML; GraphQL clients do not accept it. */
const isPageRequest = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && /^\s*text\/html\b/i.test(headers.accept ?? '') && headers['apollo-require-preflight'] === undefined
