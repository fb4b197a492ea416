import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A minimal subscriber, so that many fit beside the measured process. */
export interface SocketClient {
  readonly socket: WebSocket
  /** Called with the text of each `next` message. */
  onEvent: (text: string) => void
}

/** Opens clients, a limited number at a time, each with one subscription that has been sent. */
export async function openClients(url: string, count: number, query: string, atOnce = 100): Promise<SocketClient[]> {
  const clients: SocketClient[] = []
  while (clients.length < count) {
    const more = Array.from({ length: Math.min(atOnce, count - clients.length) }, () => openClient(url, query))
    clients.push(...(await Promise.all(more)))
  }
  return clients
}

async function openClient(url: string, query: string): Promise<SocketClient> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false })
  const client: SocketClient = { socket, onEvent: () => undefined }
  await once(socket, 'open')
  socket.send('{"type":"connection_init"}')
  await once(socket, 'message')
  socket.on('message', (data) => {
    const text = String(data)
    if (text.includes('"type":"next"')) client.onEvent(text)
  })
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
  return client
}

export async function closeClients(clients: readonly SocketClient[]): Promise<void> {
  await Promise.all(
    clients.map(async ({ socket }) => {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    }),
  )
}
