import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A way to a server that a test can close: `freeze` keeps connections and passes nothing on, not even that one has ended; `slow` passes each
 * piece on later; `cut` ends and refuses them; `leadTo` sends new connections elsewhere.
 */
export interface Gate extends AsyncDisposable {
  /** the server's address, through the gate */
  readonly url: string
  open(): void
  freeze(): void
  slow(ms: number): void
  cut(): void
  leadTo(serverUrl: string): void
}

export async function openGate(serverUrl: string): Promise<Gate> {
  let target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'cut' = 'open'
  let delayMs = 0
  const waiting: (() => void)[] = []
  const become = (next: typeof state, delay = 0): void => {
    state = next
    delayMs = delay
    for (const pass of waiting.splice(0)) pass()
  }
  const passage = async (): Promise<void> => {
    if (delayMs > 0) await sleep(delayMs)
    while (state === 'frozen') await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const carry = async (from: Socket, to: Socket): Promise<void> => {
    try {
      for await (const bytes of from) {
        await passage()
        to.write(bytes)
      }
    } catch {
      // it broke: the other end is told so, as soon as anything passes
    }
    await passage()
    to.destroySoon()
  }
  const server = createServer((client) => {
    keep(client)
    if (state === 'cut') return client.destroy()
    const upstream = keep(connect(Number(target.port), target.hostname))
    void carry(client, upstream)
    void carry(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(serverUrl)
  url.port = typeof address === 'object' && address !== null ? `${address.port}` : ''
  return {
    url: url.href,
    open: () => become('open'),
    freeze: () => become('frozen'),
    slow: (ms) => become('open', ms),
    cut() {
      become('cut')
      for (const socket of sockets) socket.destroy()
    },
    leadTo(other) {
      target = new URL(other)
    },
    async [Symbol.asyncDispose]() {
      become('cut')
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
