import type { Server } from 'node:http'
import { Server as TlsServer } from 'node:tls'

/** Returns the URL of a listener, https with a certificate. @throws {Error} before it listens */
export function listenerUrl(server: Server, host: string): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the listener has not been started')
  return `${server instanceof TlsServer ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

/** Returns the servers of an AsyncAPI 3 document: the host it was requested from, since URLs must be absolute. @param defaultHost - default host */
export const requestedHost = (defaultHost: string) => ({
  here: {
    host: '{host}',
    protocol: 'ws',
    description: 'Host of this document; wss if it was read over https',
    variables: { host: { default: defaultHost } },
  },
})
