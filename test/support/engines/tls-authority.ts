import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { certificate, type Keys, keysOf } from '../chips/country.ts'

export const pemOf = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

export const keyPemOf = ({ privateKey }: Keys): string => String(privateKey.export({ type: 'pkcs8', format: 'pem' }))

/** A certificate authority and the certificate of a local server. */
export interface ServerIdentity {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** @param until - expiry of the server's certificate */
export function serverIdentity(name: string, until = '2035-01-01'): ServerIdentity {
  const authority = certificate({ name: `Authority of ${name}`, keys: keysOf(`authority of ${name}`), isAuthority: true })
  const keys = keysOf(name)
  const own = certificate({ name: '127.0.0.1', keys, issuer: authority, until, addresses: ['127.0.0.1'] })
  return { ca: pemOf(authority.der), cert: pemOf(own.der), key: keyPemOf(keys) }
}

/** Writes the authority's certificate to a file. @returns its path */
export async function authorityFile(folder: string, { ca }: ServerIdentity): Promise<string> {
  const file = join(folder, 'ca.pem')
  await writeFile(file, ca)
  return file
}

/** A TLS proxy in front of a local server. @returns `host`: its host:port; `prove`: sets the certificate of new connections */
export async function openTlsGate(serverUrl: string, identity: ServerIdentity) {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer({ cert: identity.cert, key: identity.key }, (client) => {
    const upstream = track(connect(Number(target.port), target.hostname))
    track(client).pipe(upstream).pipe(client)
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // a listening TCP server has an address with a port
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    prove(other: ServerIdentity): void {
      server.setSecureContext({ cert: other.cert, key: other.key })
    },
    /** Closes the existing connections. */
    cut(): void {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
