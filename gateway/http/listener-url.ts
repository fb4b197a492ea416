import type { Server } from 'node:http'

/**
 * Where a listener answers: http://host:port.
 * @throws {Error} before it listens
 */
export function listenerUrl(server: Server, host: string): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the listener has not been started')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}
