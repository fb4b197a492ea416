import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Socket, Server as SocketServer } from 'socket.io'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type LiveChannel, liveChannel } from '../../../web/explorer/live/live-channel.ts'

/** Sends an expression of the subscribed domain before each acknowledgement, as a server does whose event was on its way. */
const server = createServer()
const sockets = new SocketServer(server, { path: '/socket.realtime', addTrailingSlash: false })
const subscribed: string[] = []
let seq = 0
let channel: LiveChannel | undefined
const shown: string[] = []

function serve(socket: Socket): void {
  const rooms = new Set<string>()
  const send = (): void => {
    for (const room of rooms) {
      seq += 1
      socket.emit('expression:created', { seq, expression: { id: `${room} ${seq}` } })
    }
  }
  socket.on('subscribe', ({ domain = 'all' }: { readonly domain?: string }, answer: (reply: object) => void) => {
    send()
    rooms.add(domain)
    subscribed.push(domain)
    answer({ ok: true, room: domain })
    send()
  })
  socket.on('unsubscribe', ({ room }: { readonly room: string }, answer: (reply: object) => void) => {
    send()
    rooms.delete(room)
    answer({ ok: true, room })
  })
}

beforeAll(async () => {
  sockets.on('connection', serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  vi.stubGlobal('location', { protocol: 'http:', host: `127.0.0.1:${port}`, hostname: '127.0.0.1', port: String(port) })
})
afterAll(async () => {
  channel?.close()
  vi.unstubAllGlobals()
  await sockets.close()
})

it('shows no expression of an earlier filter, however quickly filters follow each other', async () => {
  let filter = 'all'
  const changes: string[] = []
  const wrong: string[] = []
  channel = liveChannel({
    state: () => undefined,
    expression({ id }) {
      shown.push(id)
      if (!id.startsWith(filter)) wrong.push(`${id} while ${filter} was chosen`)
    },
    withdrawn: () => undefined,
    changed: (what) => changes.push(what),
    audience: () => undefined,
  })
  await expect.poll(() => shown.length).toBeGreaterThan(0)
  for (const next of ['health', 'water', 'roads', 'education', 'culture', 'mobility', 'security']) {
    filter = next
    channel.ask({ domain: next })
    // two follow at once, and one while the earlier filter is left
    if (next === 'mobility') await Promise.resolve()
    else if (next !== 'education') await expect.poll(() => shown.some((id) => id.startsWith(next))).toBe(true)
  }
  expect(wrong).toEqual([])
  expect(subscribed).toEqual(['all', 'health', 'water', 'roads', 'culture', 'security'])
  // the page reads again for its first subscription only
  expect(changes).toEqual(['any'])
})
