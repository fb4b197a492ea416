import { connect, createServer, type Socket } from 'node:net'

/** A way to a server that a test can close: `freeze` keeps connections and passes nothing on, `cut` ends and refuses them. */
export interface Gate extends AsyncDisposable {
  /** the server's address, through the gate */
  readonly url: string
  open(): void
  freeze(): void
  cut(): void
}

export async function openGate(serverUrl: string): Promise<Gate> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'cut' = 'open'
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    keep(client)
    if (state === 'cut') return client.destroy()
    const upstream = keep(connect(Number(target.port), target.hostname))
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes)).on('close', () => to.destroy())
      if (state === 'frozen') from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(serverUrl)
  url.port = typeof address === 'object' && address !== null ? `${address.port}` : ''
  return {
    url: url.href,
    open() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
    freeze() {
      state = 'frozen'
      for (const socket of sockets) socket.pause()
    },
    cut() {
      state = 'cut'
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
