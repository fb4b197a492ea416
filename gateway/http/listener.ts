import type { Server } from 'node:http'
import fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { ServerCertificate } from './server-certificate.ts'

/** A listener of clients: HTTPS where there is a certificate, else HTTP; the same in everything else. */
export function listener(certificate: ServerCertificate | undefined, options: FastifyHttpOptions<Server>): FastifyInstance {
  if (certificate === undefined) return fastify(options)
  const { http, ...rest } = options
  // a server of node:https has all that one of node:http has
  const server: unknown = fastify({ ...rest, https: { ...http, ...certificate.credentials } } as FastifyHttpOptions<Server>)
  const made = server as FastifyInstance
  certificate.follow(made.server)
  return made
}
