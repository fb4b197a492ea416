import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { closeWhenExpired, closeWhenRevoked } from '../../../../foundation/http/credentials-end.ts'
import type { Principal } from '../../../../foundation/principal.ts'

const principal: Principal = {
  user: { issuer: 'test', subject: 'awa', roles: [], groups: [], session: 's', expiresAt: Date.now() / 1000 + 3600 },
}

it('a connection that renews its token many times holds what one token needs', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  try {
    await once(server, 'listening')
    // a listening server has an address
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const [socket] = (await once(server, 'connection')) as [WebSocket]
    await once(client, 'open')
    const watch = (): AbortController => {
      const replaced = new AbortController()
      closeWhenExpired(socket, principal, replaced.signal)
      closeWhenRevoked(socket, principal, async () => principal, replaced.signal)
      return replaced
    }
    let current = watch()
    const listeners = socket.listenerCount('close')
    for (let renewal = 0; renewal < 100; renewal++) {
      current.abort()
      current = watch()
    }
    expect(socket.listenerCount('close')).toBe(listeners)
    current.abort()
    client.terminate()
  } finally {
    server.close()
  }
})
