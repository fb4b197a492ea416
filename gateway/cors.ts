import type { FastifyInstance } from 'fastify'

const preflightCacheS = 600

/** Lets pages of the given origins call this listener from a browser. Credentials are headers, never cookies, so none are allowed. */
export function allowOrigins(server: FastifyInstance, origins: readonly string[] | 'any'): void {
  server.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origins !== 'any') reply.header('vary', 'Origin')
    if (origin === undefined || (origins !== 'any' && !origins.includes(origin))) return
    reply.header('access-control-allow-origin', origins === 'any' ? '*' : origin)
    reply.header('access-control-expose-headers', 'x-request-id, retry-after')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    reply.header('access-control-allow-methods', 'GET, POST')
    reply.header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
    reply.header('access-control-max-age', preflightCacheS)
    return reply.code(204).send()
  })
}
