import { type Server as HttpServer, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Registry } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import { described } from '../../../gateway/errors.ts'
import type { Executor } from '../../../gateway/executor.ts'
import type { Authentication } from '../../../gateway/http/authentication.ts'
import { closeSoon } from '../../../gateway/http/close-socket.ts'
import { closeWhenExpired } from '../../../gateway/http/credentials-end.ts'
import { Fault, InvalidInput, messageOf } from '../../../subgraphs/foundation/fault.ts'
import { pause } from '../../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../../subgraphs/foundation/log.ts'
import type { Principal } from '../../../subgraphs/foundation/principal.ts'
import { MessageRate } from '../../live/message-rate.ts'
import { MissedEvents } from '../../live/missed-events.ts'
import { RecentEvents } from '../../live/recent-events.ts'
import type { Sockets } from '../../live/sockets.ts'
import { WhileWanted } from '../../live/while-subscribed.ts'
import { refusal } from '../../response/fault-to-http.ts'
import { StreamClient } from './client.ts'
import { readStreamQuery, type StreamWish, shownWish } from './filter.ts'
import { readClientFrame } from './frames.ts'
import { type StreamFigures, streamFigures } from './metrics.ts'
import { type ExpressionFrame, type ExpressionSource, expressionSource } from './source.ts'

export interface StreamLimits {
  readonly clients: number
  readonly clientsPerUser: number
  readonly frameBytes: number
  /** frames that one client may send at once, and a second in the long run */
  readonly burst: number
  readonly perSecond: number
  readonly waitingBytes: number
  readonly patienceMs: number
  readonly heartbeatMs: number
  /** events kept in memory for clients that come back */
  readonly kept: number
  /** how long the stream is followed after the last client has gone */
  readonly lingerMs: number
}

export const streamLimits: StreamLimits = {
  clients: 10_000,
  clientsPerUser: 100,
  frameBytes: 16 * 1024,
  burst: 20,
  perSecond: 5,
  waitingBytes: 1024 * 1024,
  patienceMs: 10_000,
  heartbeatMs: 30_000,
  kept: 2000,
  lingerMs: 60_000,
}

export interface StreamOptions {
  readonly source: ExpressionSource
  readonly authentication: Authentication
  readonly log: Log
  readonly figures: StreamFigures
  readonly limits?: Partial<StreamLimits>
}

/** The stream over an executor, with figures for Prometheus. */
export function createExpressionStream(options: {
  readonly executor: Executor
  readonly authentication: Authentication
  readonly log: Log
  readonly registry: Registry
  readonly limits: Partial<StreamLimits>
}): Sockets {
  const { executor, registry } = options
  const log = options.log.child({ component: 'stream of expressions' })
  return expressionStream({ ...options, log, source: expressionSource(executor, log), figures: streamFigures(registry) })
}

const path = '/ws'
const close = { badRequest: 4400, unauthorised: 4401, later: 1013, flood: 1008, goingAway: 1001 } as const
const lookEveryMs = 500
const retryMs = 1000
const signInMs = 10_000
/** how long a client waits to hear where the stream stands; it is welcome even so */
const placeMs = 5000
/** a taxonomy may have changed since it was read; it is not read again for each wrong id */
const taxonomyMs = 2000
const replayedAtOnce = 100

/**
 * The documented WebSocket of component C. Frames are `{type, seq, data}`. One reading of the executor's subscription serves every client
 * of this process; each client's filter is evaluated in memory. Close codes: 4400 bad filter or frame, 4401 no valid token, 4403 the token
 * is over, 1008 too many frames, 1009 a frame that is too large, 1013 slow reader or too many connections, 1001 drain.
 */
export function expressionStream({ source, authentication, log, figures, limits: own = {} }: StreamOptions): Sockets {
  const limits = { ...streamLimits, ...own }
  const stopping = new AbortController()
  const { signal } = stopping
  const recent = new RecentEvents<ExpressionFrame>(limits.kept)
  const missed = new MissedEvents(source, recent, signal)
  const clients = new Set<StreamClient>()
  const connections = new Map<string, number>()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false })
  let taxonomy: { readonly ids: ReadonlySet<string>; readonly at: number } | undefined
  let timers: readonly NodeJS.Timeout[] = []

  /** What happens while nobody listens is in the feed for those that come back. */
  const follow = async (over: AbortSignal, ready: () => void): Promise<void> => {
    for (; !over.aborted; await pause(retryMs, over)) {
      try {
        const { seq } = await source.state(over)
        recent.restart(seq)
        break
      } catch (error) {
        log.debug({ reason: messageOf(error) }, 'the stream of expressions is not there yet')
      }
    }
    ready()
    for await (const event of over.aborted ? [] : source.expressions(recent.last, over)) {
      if (event.kind === 'lagged') {
        recent.restart(event.seq)
        for (const client of clients) if (!client.isResuming) client.say('lagged', event.seq, { dropped: null })
      } else if (recent.add(event)) {
        let told = 0
        for (const client of clients) if (client.tell(event)) told += 1
        figures.told(told)
      }
    }
  }

  const following = new WhileWanted(
    (over, ready) =>
      follow(over, ready).catch((error: unknown) => log.error({ err: described(error) }, 'the stream of expressions failed')),
    limits.lingerMs,
  )

  /** @throws {InvalidInput} for an id that the taxonomy does not have */
  const checkTaxonomy = async ({ filter }: StreamWish): Promise<void> => {
    const { taxonomy: ids } = filter
    if (ids === undefined) return
    const unknown = (): string | undefined => ids.find((id) => taxonomy?.ids.has(id) !== true)
    if (unknown() === undefined) return
    if (taxonomy === undefined || performance.now() - taxonomy.at > taxonomyMs)
      taxonomy = { ids: (await source.state(signal)).taxonomy, at: performance.now() }
    if (unknown() !== undefined) throw new InvalidInput('taxonomy has an id that is unknown')
  }

  const welcome = (client: StreamClient): void =>
    client.say('welcome', recent.last, { filters: shownWish(client.wish), heartbeat_s: limits.heartbeatMs / 1000 })

  /** Tells a client everything after a place that it wants, as fast as it reads, until there is no more: from then on it hears the rest live. */
  const resume = async (client: StreamClient, from: number): Promise<void> => {
    client.isResuming = true
    try {
      let events: readonly ExpressionFrame[] | undefined
      let seen = from
      await missed.after(from, (found) => {
        events = found
      })
      // another copy may be ahead of this one; a place that nobody has reached is of another feed
      if (from > recent.last && from > (await source.state(signal)).seq) events = undefined
      for (;;) {
        if (events === undefined) {
          client.say('lagged', recent.last, { dropped: null })
          return
        }
        if (events.length === 0) return
        for (let start = 0; start < events.length; start += replayedAtOnce) {
          for (const event of events.slice(start, start + replayedAtOnce)) if (client.wants(event)) client.write(event.frame)
          if (!(await client.room())) return
        }
        seen = events.at(-1)?.seq ?? seen
        events = recent.since(seen)
      }
    } finally {
      client.isResuming = false
    }
  }

  const receive = async (client: StreamClient, text: string): Promise<void> => {
    const frame = readClientFrame(text)
    if (frame.type === 'resume') return resume(client, frame.fromSeq)
    await checkTaxonomy(frame.wish)
    if (!(await client.room())) return
    client.wish = frame.wish
    welcome(client)
  }

  const refuse = (socket: WebSocket, error: unknown): void => {
    if (socket.readyState !== socket.OPEN) return
    if (error instanceof InvalidInput) {
      socket.send(JSON.stringify({ type: 'error', seq: recent.last, data: { code: error.code, detail: error.message } }))
      closeSoon(socket, close.badRequest, 'Bad request')
      return
    }
    const isUnauthorised = error instanceof Fault && error.code === 'UNAUTHENTICATED'
    if (!(error instanceof Fault) && !signal.aborted) log.error({ err: described(error) }, 'a client of the stream failed')
    if (isUnauthorised) closeSoon(socket, close.unauthorised, 'Unauthorized')
    else closeSoon(socket, close.later, 'Try again later')
  }

  const admit = (socket: WebSocket, { user }: Principal): void => {
    if (user === undefined) return
    const name = JSON.stringify([user.issuer, user.subject])
    const count = (connections.get(name) ?? 0) + 1
    if (count > limits.clientsPerUser) throw new Fault('RATE_LIMITED', 'Too many connections')
    connections.set(name, count)
    socket.once('close', () => {
      const left = (connections.get(name) ?? 1) - 1
      if (left > 0) connections.set(name, left)
      else connections.delete(name)
    })
  }

  const begin = async (socket: WebSocket, query: URLSearchParams): Promise<StreamClient> => {
    const tokens = query.getAll('token')
    // two tokens are refused as two headers are; none is one that nobody made
    const authorization = tokens.length === 1 ? `Bearer ${tokens[0]}` : 'Bearer'
    const principal = await authentication.principalOf(
      { apiKey: undefined, authorization, named: () => undefined },
      AbortSignal.any([signal, AbortSignal.timeout(signInMs)]),
    )
    // its end was told before anybody listened for it
    if (socket.readyState === socket.CLOSED) throw new Fault('UNAUTHENTICATED', 'The connection is closed')
    admit(socket, principal)
    closeWhenExpired(socket, principal)
    const wish = readStreamQuery(query)
    const { ready, leave } = following.enter()
    socket.once('close', leave)
    await Promise.all([checkTaxonomy(wish), ready(placeMs)])
    return new StreamClient(socket, wish, limits, figures.dropped)
  }

  const serve = (socket: WebSocket, query: URLSearchParams): void => {
    // what is too large or malformed is closed with 1009 or 1007 by ws itself
    socket.on('error', (error) => log.debug({ err: described(error) }, 'a client of the stream failed'))
    const rate = new MessageRate(limits.burst, limits.perSecond)
    const begun = begin(socket, query)
    let last: Promise<unknown> = begun.then((client) => {
      if (socket.readyState !== socket.OPEN) return
      clients.add(client)
      figures.clients(clients.size)
      socket.once('close', () => {
        clients.delete(client)
        figures.clients(clients.size)
      })
      welcome(client)
    })
    last.catch((error: unknown) => refuse(socket, error))
    socket.on('message', (data) => {
      if (socket.readyState !== socket.OPEN) return
      if (!rate.allows()) {
        closeSoon(socket, close.flood, 'Too many frames')
        return
      }
      const text = String(data)
      last = last.then(async () => receive(await begun, text))
      last.catch((error: unknown) => refuse(socket, error))
    })
    socket.once('close', (code) => figures.closed(code))
  }

  const upgrade = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    connection.on('error', () => connection.destroy())
    const { pathname, searchParams } = addressOf(request)
    if (pathname !== path) refuseUpgrade(connection, 404, 'Not Found')
    else if (sockets.clients.size >= limits.clients || signal.aborted)
      refuseUpgrade(connection, 503, 'Too many connections; try again later')
    else sockets.handleUpgrade(request, connection, head, (socket) => serve(socket, searchParams))
  }

  return {
    name: 'stream of expressions',
    attach: (server: HttpServer) => void server.on('upgrade', upgrade),
    async start() {
      const beat = (): void => {
        for (const client of clients) {
          client.ping()
          client.say('heartbeat', recent.last, { at: new Date().toISOString() })
        }
      }
      const look = (): void => {
        const now = performance.now()
        for (const client of clients) client.look(now)
      }
      timers = [setInterval(beat, limits.heartbeatMs), setInterval(look, lookEveryMs)]
    },
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      const open = [...sockets.clients]
      const gone = Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      for (const socket of open) closeSoon(socket, close.goingAway, 'Going away')
      await gone
      await following.stop()
    },
  }
}

/** What cannot be read as an address is no path of ours. */
function addressOf({ url }: IncomingMessage): Pick<URL, 'pathname' | 'searchParams'> {
  const address = URL.parse(url ?? '', 'http://stream')
  return address ?? { pathname: '', searchParams: new URLSearchParams() }
}

function refuseUpgrade(connection: Duplex, status: number, sentence: string): void {
  const { body } = refusal(status, sentence)
  const more = status === 503 ? 'retry-after: 5\r\n' : ''
  connection.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}connection: close\r\n\r\n${body}`,
  )
}
