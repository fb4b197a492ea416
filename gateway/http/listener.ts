import type { IncomingMessage, Server } from 'node:http'
import fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { ServerCertificate } from './server-certificate.ts'

/**
 * A listener: HTTPS where there is a certificate, else HTTP; the same in everything else. Another protocol that a client offers, as curl and
 * Java do with h2c, is passed over, and its request answered as any.
 * @param takesWebSockets - whether something answers upgrades to WebSocket now; while nothing does, those are passed over, too
 * @see RFC 9110, section 7.8
 */
export function listener(
  certificate: ServerCertificate | undefined,
  takesWebSockets: () => boolean,
  options: FastifyHttpOptions<Server>,
): FastifyInstance {
  const { http: own, ...rest } = options
  const shouldUpgradeCallback = ({ headers: { upgrade } }: IncomingMessage): boolean =>
    upgrade?.toLowerCase() === 'websocket' && takesWebSockets()
  const http = { ...own, shouldUpgradeCallback }
  if (certificate === undefined) return fastify({ ...rest, http })
  // a server of node:https has all that one of node:http has
  const server: unknown = fastify({ ...rest, https: { ...http, ...certificate.credentials } } as FastifyHttpOptions<Server>)
  const made = server as FastifyInstance
  certificate.follow(made.server)
  return made
}
