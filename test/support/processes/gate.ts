import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A proxy to a server that a test can disturb: `freeze` keeps connections open and forwards nothing, not even their end; `slow` forwards each
 * chunk later; `cut` closes and refuses connections; `leadTo` sends new connections elsewhere; `loseAnswers` forwards requests and drops
 * responses; `forget` stops forwarding on existing connections, like a firewall that has dropped their state, and forwards new ones
 * normally.
 */
export interface Gate extends AsyncDisposable {
  /** Address of the server through the gate. */
  readonly url: string
  /** Closes connections that have lost a response: a later one would be mistaken for it. */
  open(): void
  freeze(): void
  slow(ms: number): void
  cut(): void
  forget(): void
  leadTo(serverUrl: string): void
  /** @param after - whether a connection loses responses from this chunk of the client on; all do at once when absent */
  loseAnswers(after?: (bytes: string) => boolean): void
  /** Number of dropped response chunks. */
  readonly lost: number
  /** For a gate that began absent: listens from here on. */
  appear(): Promise<void>
}

/**
 * @param begins - `absent`: nothing listens at its address until `appear`
 * @param at - its address (default: a free port of 127.0.0.1)
 */
export async function openGate(
  serverUrl: string,
  begins: 'open' | 'absent' = 'open',
  { host, port: wanted }: { readonly host: string; readonly port: number } = { host: '127.0.0.1', port: 0 },
): Promise<Gate> {
  let target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'cut' = 'open'
  let delayMs = 0
  /** Whether a chunk of a client is the last one before responses are lost; undefined: none is lost */
  let losesAfter: ((bytes: string) => boolean) | undefined
  let lost = 0
  const deaf = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  const waiting: (() => void)[] = []
  const become = (next: typeof state, delay = 0): void => {
    state = next
    delayMs = delay
    losesAfter = undefined
    for (const socket of deaf) socket.destroy()
    for (const pass of waiting.splice(0)) pass()
  }
  const passage = async (): Promise<void> => {
    if (delayMs > 0) await sleep(delayMs)
    while (state === 'frozen') await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => [sockets, deaf].map((each) => each.delete(socket)))
  }
  const onBytes = (client: Socket, bytes: Buffer): void => {
    if (losesAfter?.(bytes.toString('latin1'))) deaf.add(client)
  }
  const carry = async (from: Socket, to: Socket, onChunk: (bytes: Buffer) => void = () => undefined): Promise<void> => {
    try {
      for await (const bytes of from) {
        onChunk(bytes)
        await passage()
        if (forgotten.has(to)) continue
        if (deaf.has(to)) lost++
        else to.write(bytes)
      }
    } catch {
      // a broken connection: the other end is closed, unless the gate is frozen
    }
    await passage()
    if (!forgotten.has(to)) to.destroySoon()
  }
  const server = createServer((client) => {
    track(client)
    if (state === 'cut') return client.destroy()
    const upstream = track(connect(Number(target.port), target.hostname))
    void carry(client, upstream, (bytes) => onBytes(client, bytes))
    void carry(upstream, client)
  })
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, host, resolve))
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  await listen(wanted)
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
    forget() {
      for (const socket of sockets) forgotten.add(socket)
    },
    leadTo(other) {
      target = new URL(other)
    },
    loseAnswers(after = () => true) {
      losesAfter = after
    },
    get lost() {
      return lost
    },
    async [Symbol.asyncDispose]() {
      become('cut')
      for (const socket of sockets) socket.destroy()
      await close()
    },
  }
}
