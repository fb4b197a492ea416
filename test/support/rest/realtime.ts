import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { silentLog } from '../../../foundation/log.ts'
import { type RealtimeOptions, realtime } from '../../../rest-adapters/exploration/realtime/realtime.ts'
import type { ChangeEvent, RealtimeSource } from '../../../rest-adapters/exploration/realtime/source.ts'
import type { FeedEvent } from '../../../rest-adapters/live/expression-feed.ts'
import type { LaggedEvent } from '../../../rest-adapters/live/feed-event.ts'
import type { ShownExpression } from '../../../rest-adapters/live/public-expression.ts'

const shown: ShownExpression = {
  id: '',
  status: 'indexed',
  text: 'x',
  lang: null,
  location: null,
  classification: null,
  sentiment: null,
  toxicity: null,
  personal_data: { redacted: false, types: [] },
  embedding: null,
  pipeline: { version: '1', steps: [] },
  created_at: '2026-01-01T00:00:00.000Z',
  indexed_at: null,
}

/** Events, stored like those of the event feed: a subscriber from a position receives everything after it. */
export class TestRealtimeSource implements RealtimeSource {
  readonly #events: (FeedEvent | LaggedEvent)[] = []
  readonly #changes: ChangeEvent[] = []
  readonly #woken = new Set<() => void>()
  /** Events up to here are pruned. */
  pruned = 0
  /** Delay before the first event. */
  delayMs = 0
  /** Number of current subscribers to expressions. */
  readings = 0

  emit(seq: number, expression: Partial<ShownExpression> = {}): void {
    const full = { ...shown, id: `expression-${seq}`, ...expression }
    this.#events.push({ kind: 'expression', seq, id: full.id, expression: full, formerDomains: [] })
    this.#wake()
  }

  withdraw(seq: number, id: string): void {
    this.#events.push({ kind: 'expression_withdrawn', seq, id })
    this.#wake()
  }

  change(event: ChangeEvent): void {
    this.#changes.push(event)
    this.#wake()
  }

  async *expressions(after: number, signal: AbortSignal): AsyncIterable<FeedEvent | LaggedEvent> {
    if (after < this.pruned) yield { kind: 'lagged', seq: this.pruned }
    const { length } = this.#events
    const firstNewer = this.#events.findIndex(({ seq }) => seq > Math.max(after, this.pruned))
    this.readings += 1
    try {
      await sleep(this.delayMs)
      yield* this.#follow(this.#events, firstNewer < 0 ? length : firstNewer, signal)
    } finally {
      this.readings -= 1
    }
  }

  async position(): Promise<number> {
    return this.#events.at(-1)?.seq ?? 0
  }

  changes(signal: AbortSignal): AsyncIterable<ChangeEvent> {
    return this.#follow(this.#changes, this.#changes.length, signal)
  }

  async version(): Promise<string> {
    return '0'
  }

  async knowsDomain(id: string): Promise<boolean> {
    return ['health', 'education', 'health/clinics'].includes(id)
  }

  async *#follow<Event>(events: readonly Event[], from: number, signal: AbortSignal): AsyncIterable<Event> {
    for (let next = from; !signal.aborted; ) {
      const event = events[next]
      if (event !== undefined) {
        next += 1
        yield event
      } else
        await new Promise<void>((resolve) => {
          this.#woken.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
    }
  }

  #wake(): void {
    for (const resolve of this.#woken) resolve()
    this.#woken.clear()
  }
}

export interface Channel extends AsyncDisposable {
  readonly url: string
  readonly port: number
  connect(options?: Partial<ManagerOptions & SocketOptions>): Promise<Socket>
  stop(): Promise<void>
}

/** A realtime channel on its own listener. */
export async function openChannel(options: Partial<RealtimeOptions> & Pick<RealtimeOptions, 'source'>): Promise<Channel> {
  const channel = realtime({ corsOrigins: 'any', log: silentLog, ...options })
  const server: Server = createServer((_, response) => response.writeHead(404).end('elsewhere'))
  channel.attach(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await channel.start(AbortSignal.timeout(60_000))
  // a listening server has an address
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const sockets: Socket[] = []
  const stop = async (): Promise<void> => {
    await channel.stop()
    server.close()
  }
  return {
    url,
    port,
    async connect(more = {}) {
      const socket = connectTo(url, more)
      sockets.push(socket)
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
      return socket
    },
    stop,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.disconnect()
      await stop()
    },
  }
}

export function connectTo(url: string, more: Partial<ManagerOptions & SocketOptions> = {}): Socket {
  return io(url, { path: '/socket.realtime', addTrailingSlash: false, transports: ['websocket'], forceNew: true, ...more })
}

/** Everything that a client receives of one event, in order. */
export function receivedEvents<Content>(socket: Socket, event: string): Content[] {
  const all: Content[] = []
  socket.on(event, (content: Content) => all.push(content))
  return all
}

export const subscribe = (socket: Socket, filter?: unknown): Promise<Record<string, unknown>> =>
  socket.timeout(30_000).emitWithAck('subscribe', ...(filter === undefined ? [] : [filter]))
