import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { addVary } from './content.ts'

/**
 * Whether a WebSocket handshake comes from an allowed origin, which CORS does not cover. Clients without an origin are not browsers, and pages of the
 * listener itself are always allowed.
 */
export function mayConnect(
  { headers: { origin, host } }: IncomingMessage,
  origins: readonly string[] | 'any',
  publicUrl?: string,
): boolean {
  if (origin === undefined || origins === 'any' || origins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const own = publicUrl !== undefined && URL.canParse(publicUrl) ? new URL(publicUrl).host : undefined
  return [host, own].includes(new URL(origin).host)
}

const preflightCacheS = 600
/** readable response headers, in addition to those that are always readable */
const exposedHeaders = [
  ...['etag', 'link', 'location', 'allow', 'content-disposition', 'www-authenticate', 'x-request-id'],
  ...['retry-after', 'ratelimit', 'ratelimit-policy'],
  ...['x-total-count', 'x-content-source', 'x-content-snapshot-at'],
].join(', ')

/** Longest list of request headers that a preflight response repeats. */
const maxHeaderList = 100
/** Every header of a request without cookies; the wildcard alone does not include Authorization. */
export const everyHeader = 'authorization, *'

/** Returns the headers that a preflight allows: those that it requested, or every header in place of a long list. */
export const allowedHeaders = (requested = ''): string => (requested.length > maxHeaderList ? everyHeader : requested)

/** Allows pages of the given origins to call this listener. Credentials are headers, never cookies, so credentialed requests are not allowed. */
export function allowOrigins(server: FastifyInstance, origins: readonly string[] | 'any'): void {
  server.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origins !== 'any') addVary(reply, 'Origin')
    if (origin === undefined || (origins !== 'any' && !origins.includes(origin))) return
    reply.header('access-control-allow-origin', origins === 'any' ? '*' : origin)
    reply.header('access-control-expose-headers', exposedHeaders)
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return
    reply.header('access-control-allow-methods', 'GET, POST')
    reply.header('access-control-allow-headers', allowedHeaders(request.headers['access-control-request-headers']))
    reply.header('access-control-max-age', preflightCacheS)
    return reply.code(204).send()
  })
}
