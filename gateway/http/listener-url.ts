import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'

/**
 * Where a listener answers: http://host:port, or https:// where it has a certificate.
 * @throws {Error} before it listens
 */
export function listenerUrl(server: Server, host: string): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the listener has not been started')
  return `${server instanceof TlsServer ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

/**
 * The servers of an AsyncAPI 3 document: the one where it was read. No address may be relative there.
 * @param usualHost - of a machine that nothing was said to
 */
export const hereFrom = (usualHost: string) => ({
  here: {
    host: '{host}',
    protocol: 'ws',
    description: 'Where this document was read; wss where that is https',
    variables: { host: { default: usualHost } },
  },
})
