import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { WebSocket } from 'ws'
import type { AdmissionGate } from '../../../foundation/concurrency/load-gate.ts'
import { EngineUnavailable, Unauthenticated } from '../../../foundation/fault.ts'
import type { ExpressionTraits } from '../../../foundation/filter/expression-filter.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { type Log, silentLog } from '../../../foundation/log.ts'
import { expressionStream } from '../../../rest-adapters/classification/stream/expression-stream.ts'
import type { StreamLimits } from '../../../rest-adapters/classification/stream/limits.ts'
import { streamMetrics } from '../../../rest-adapters/classification/stream/metrics.ts'
import { frameOf } from '../../../rest-adapters/classification/stream/server-frames.ts'
import type { ExpressionFrame, ExpressionSource, StreamEvent } from '../../../rest-adapters/classification/stream/source.ts'
import type { LaggedEvent } from '../../../rest-adapters/live/feed-event.ts'

/** Events, stored like those of the change log. */
export class StoredEvents implements ExpressionSource {
  readonly #events: (StreamEvent | LaggedEvent)[] = []
  readonly #woken = new Set<() => void>()
  /** Number of current reads. */
  readings = 0
  /** Maximum of concurrent reads. */
  maxReadings = 0
  /** Whether the feed does not respond. */
  isUnavailable = false
  /** Events up to here are pruned. */
  pruned = 0
  seq = 0

  emit(traits: Partial<ExpressionTraits> = {}, kind: ExpressionFrame['kind'] = 'expression', padding = ''): number {
    this.seq += 1
    const all = { domain: null, subDomain: null, sentiment: null, lang: null, position: null, text: '', ...traits }
    const id = `e${this.seq}`
    const frame = Buffer.from(JSON.stringify({ type: kind, seq: this.seq, data: { id, padding } }))
    this.#events.push({ kind, seq: this.seq, id, traits: all, frame })
    for (const wake of this.#woken) wake()
    return this.seq
  }

  withdraw(id: string): void {
    this.seq += 1
    const frame = Buffer.from(frameOf('expression_withdrawn', this.seq, { id }))
    this.#events.push({ kind: 'expression_withdrawn', seq: this.seq, id, frame })
    for (const wake of this.#woken) wake()
  }

  async state() {
    return { seq: this.seq, taxonomy: new Set(['health', 'health/clinics', 'education']) }
  }

  async position() {
    if (this.isUnavailable) throw new EngineUnavailable('feed')
    return this.seq
  }

  async *expressions(after: number, signal: AbortSignal): AsyncIterable<StreamEvent | LaggedEvent> {
    this.readings += 1
    this.maxReadings = Math.max(this.maxReadings, this.readings)
    try {
      let lastSeq = after
      if (after < this.pruned) yield { kind: 'lagged', seq: this.pruned }
      while (!signal.aborted) {
        const next = this.#events.find(({ seq }) => seq > Math.max(lastSeq, this.pruned))
        if (next === undefined)
          await new Promise<void>((resolve) => {
            this.#woken.add(resolve)
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
        else {
          lastSeq = next.seq
          yield next
        }
      }
    } finally {
      this.readings -= 1
    }
  }
}

export interface Frame {
  readonly type: string
  readonly seq: number
  // JSON of any shape: each expectation states its part of it
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any
}

/** A client of /ws with everything that it has received. */
export class StreamReader {
  readonly socket: WebSocket
  readonly frames: Frame[] = []
  closed: { readonly code: number; readonly reason: string } | undefined

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(url, { headers })
    this.socket.on('message', (data) => this.frames.push(JSON.parse(String(data)) as Frame))
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
    this.socket.on('error', () => undefined)
  }

  of(type: string): readonly Frame[] {
    return this.frames.filter((frame) => frame.type === type)
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  async until(condition: (reader: StreamReader) => boolean, ms = 60_000): Promise<void> {
    for (const limit = Date.now() + ms; !condition(this); await sleep(10))
      if (Date.now() > limit)
        throw new Error(`the client received only ${JSON.stringify(this.frames).slice(0, 500)}, closed ${this.closed?.code}`)
  }

  async welcomed(): Promise<this> {
    await this.until(({ frames }) => frames[0]?.type === 'welcome')
    return this
  }

  /** @returns the close code */
  async close(): Promise<number> {
    await this.until(({ closed }) => closed !== undefined)
    return this.closed?.code ?? 0
  }
}

export interface OpenStream extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly feed: StoredEvents
  readonly registry: Registry
  /** Default: `token=good`. */
  connect(query?: string): StreamReader
  stop(): Promise<void>
}

/** /ws on its own listener. Tokens: `good`, `for-N`, which is valid for N milliseconds, and `USER-for-N`. */
export async function openStream(
  options: {
    readonly limits?: Partial<StreamLimits>
    readonly log?: Log
    readonly gate?: AdmissionGate
    readonly trustedProxies?: number
  } = {},
): Promise<OpenStream> {
  const feed = new StoredEvents()
  const registry = new Registry()
  const authentication = createAuthentication({
    apiKeys: [],
    tokenVerifier: {
      async verify(token) {
        const [, name = token, ms] = /^(?:(\w+)-)?for-(\d+)$/.exec(token) ?? []
        if (token !== 'good' && ms === undefined) throw new Unauthenticated('no')
        const expiresAt = (Date.now() + Number(ms ?? 3_600_000)) / 1000
        return { issuer: 'test', subject: name, roles: [], groups: [], expiresAt }
      },
    },
  })
  const stream = expressionStream({
    source: feed,
    authentication,
    log: options.log ?? silentLog,
    metrics: streamMetrics(registry),
    ...(options.limits && { limits: options.limits }),
    ...(options.gate && { gate: options.gate }),
    ...(options.trustedProxies !== undefined && { trustedProxies: options.trustedProxies }),
  })
  const server = createServer((_, response) => response.writeHead(404).end('elsewhere'))
  stream.attach(server)
  await stream.start(AbortSignal.timeout(60_000))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // a listening server has an address
  const { port } = server.address() as AddressInfo
  const url = `ws://127.0.0.1:${port}/ws`
  const readers: StreamReader[] = []
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= stream.stop().then(() => void server.close())
    return stopped
  }
  return {
    url,
    port,
    feed,
    registry,
    connect(query = '') {
      const reader = new StreamReader(`${url}?${query.includes('token') ? query : `token=good&${query}`}`)
      readers.push(reader)
      return reader
    },
    stop,
    async [Symbol.asyncDispose]() {
      for (const { socket } of readers) socket.terminate()
      await stop()
    },
  }
}
