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
  /** of a gate that began absent: from here on something listens there */
  appear(): Promise<void>
}

/** @param begins - `absent`: nothing listens at its address before it appears */
export async function openGate(serverUrl: string, begins: 'open' | 'absent' = 'open'): Promise<Gate> {
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
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  if (begins === 'absent') await close()
  const url = new URL(serverUrl)
  url.port = String(port)
  return {
    appear: () => listen(port),
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
      await close()
    },
  }
}
