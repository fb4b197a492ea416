import type { IncomingMessage } from 'node:http'
import { type Socket, Server as SocketServer } from 'socket.io'
import { type ServerOptions, WebSocketServer } from 'ws'
import type { Executor } from '../../../gateway/executor.ts'
import { mayConnect } from '../../../gateway/http/cors.ts'
import type { Config } from '../../../subgraphs/foundation/config/config.ts'
import { messageOf } from '../../../subgraphs/foundation/fault.ts'
import { pause } from '../../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../../subgraphs/foundation/log.ts'
import { MessageRate } from '../../live/message-rate.ts'
import { MissedEvents } from '../../live/missed-events.ts'
import { RecentEvents } from '../../live/recent-events.ts'
import type { Sockets } from '../../live/sockets.ts'
import { type Want, WhileWanted } from '../../live/while-subscribed.ts'
import { Coalesced } from './coalesced.ts'
import { isRoom, matches, type RealtimeFilter, type RealtimeRefusal, readWish, roomOf } from './filter.ts'
import { gatewaySource } from './gateway-source.ts'
import { type Copies, copiesAlone, copiesOnRedis } from './replicas.ts'
import type { ChangeEvent, ExpressionEvent, RealtimeSource } from './source.ts'
import { mergedTiles, touches } from './tiles.ts'

export interface RealtimeLimits {
  readonly clients: number
  readonly roomsPerClient: number
  readonly rooms: number
  readonly frameBytes: number
  /** messages that one client may send at once, and a second in the long run */
  readonly burst: number
  readonly perSecond: number
  /** packets of any kind after which a client is cut off, at once and a second */
  readonly packetBurst: number
  readonly packetsPerSecond: number
  /** packets that may wait for a slow client */
  readonly waiting: number
  /** expressions kept for clients that come back */
  readonly kept: number
  /** how long the feed is followed after the last client has gone */
  readonly lingerMs: number
  readonly coalesceMs: number
}

export const realtimeLimits: RealtimeLimits = {
  clients: 20_000,
  roomsPerClient: 20,
  rooms: 10_000,
  frameBytes: 16 * 1024,
  burst: 20,
  perSecond: 5,
  packetBurst: 200,
  packetsPerSecond: 50,
  waiting: 1000,
  kept: 2000,
  lingerMs: 60_000,
  coalesceMs: 1000,
}

export interface RealtimeOptions {
  readonly source: RealtimeSource
  readonly corsOrigins: Config['corsOrigins']
  readonly log: Log
  readonly limits?: Partial<RealtimeLimits>
  /** those that serve the same platform beside this one; none when absent */
  readonly copies?: Copies
}

const path = '/socket.realtime'
/** everybody who has subscribed to something */
const everybody = 'subscribed'
const connectMs = 10_000
const sweepMs = 2000
const retryMs = 1000
const questionMs = 5000
/** how long a client that subscribes waits for the newest expressions and the version to be known */
const placeMs = 2000
/** a feed that has told something and then nothing for so long has told what there was: the last places may be of changes, not of what is new */
const silenceMs = 300
/** how long a client may take to say goodbye when the server does */
const closeTimeoutMs = 2000
const events = ['subscribe', 'unsubscribe']

type Answer = (answer: object) => void
type Follow = (over: AbortSignal, ready: () => void) => Promise<void>

/** The channel over an executor, joined with its copies where the platform has a Redis. */
export function createRealtime(executor: Executor, { corsOrigins, redis }: Pick<Config, 'corsOrigins' | 'redis'>, log: Log): Sockets {
  const own = log.child({ component: 'realtime' })
  const copies = redis === undefined ? copiesAlone() : copiesOnRedis({ ...redis, log: own })
  return realtime({ source: gatewaySource(executor, own), corsOrigins, log: own, copies })
}

/**
 * Socket.IO 4 at /socket.realtime. Every copy follows the event feed by itself, while it has clients, and tells only its own clients (`local`), so a client hears
 * each event once however many copies there are; what passes between copies is how many clients each has.
 * See docs/decisions/0010-each-replica-follows-the-feed.md.
 */
export function realtime({ source, corsOrigins, log, limits: own = {}, copies = copiesAlone() }: RealtimeOptions): Sockets {
  const limits = { ...realtimeLimits, ...own }
  const stopping = new AbortController()
  const { signal } = stopping
  const recent = new RecentEvents<ExpressionEvent>(limits.kept)
  const missed = new MissedEvents(source, recent, signal)
  const rooms = new Map<string, RealtimeFilter>()
  const clients = new Set<EngineClient>()
  let version = ''
  let sweep: NodeJS.Timeout | undefined

  const io = new SocketServer({
    path,
    // with the default the documented path, which has no slash at its end, is not found
    addTrailingSlash: false,
    serveClient: false,
    maxHttpBufferSize: limits.frameBytes,
    connectTimeout: connectMs,
    cors: { origin: corsOrigins === 'any' ? '*' : [...corsOrigins] },
    allowRequest: (request, answer) => answer(reasonAgainst(request) ?? null, reasonAgainst(request) === undefined),
    wsEngine: WebSockets,
    ...copies.adapter,
  })
  const everyone = io.of('/')

  /** Why a client may not connect; undefined: it may. */
  const reasonAgainst = (request: IncomingMessage): string | undefined => {
    if (io.engine.clientsCount >= limits.clients) return 'Too many clients; try again later'
    return mayConnect(request, corsOrigins) ? undefined : 'This origin is not allowed'
  }

  const created = ({ seq, expression }: ExpressionEvent) => ({ seq, version, expression })
  const stats = new Coalesced<Extract<ChangeEvent, { kind: 'statistics' }>>(
    limits.coalesceMs,
    (_, next) => next,
    ({ seq, version: reached, statistics }) => everyone.local.to(everybody).emit('stats:updated', { seq, version: reached, statistics }),
  )
  const domains = new Coalesced<Extract<ChangeEvent, { kind: 'domains' }>>(
    limits.coalesceMs,
    (_, next) => next,
    ({ seq, version: reached }) => everyone.local.to(everybody).emit('domains:updated', { seq, version: reached }),
  )
  const map = new Coalesced<Extract<ChangeEvent, { kind: 'map' }>>(
    limits.coalesceMs,
    (before, next) => ({ ...next, tiles: mergedTiles([...before.tiles, ...next.tiles]) }),
    ({ seq, version: reached, tiles }) => {
      const isConcerned = ({ bbox }: RealtimeFilter): boolean => bbox === undefined || tiles.some((tile) => touches(bbox, tile))
      const concerned = [...rooms].filter(([, filter]) => isConcerned(filter)).map(([room]) => room)
      if (concerned.length > 0) everyone.local.to(concerned).emit('map:invalidated', { seq, version: reached, tiles })
    },
  )

  const tell = (event: ExpressionEvent): void => {
    const wanted = [...rooms].filter(([, filter]) => matches(filter, event.expression)).map(([room]) => room)
    // one call for all rooms: who is in several of them gets it once
    if (wanted.length > 0) everyone.local.to(wanted).emit('expression:created', created(event))
  }
  /** What happened while nobody listened is in the feed for those that come back; the newest of it are kept for those that are new. */
  const followExpressions = (): Follow => {
    recent.forget()
    return async (over, ready) => {
      const reached = await source.position(over)
      if (reached === 0) ready()
      let silence: NodeJS.Timeout | undefined
      for await (const event of source.expressions(undefined, over)) {
        clearTimeout(silence)
        if (event.seq < reached) silence = setTimeout(ready, silenceMs)
        else ready()
        if (event.kind === 'lagged') {
          recent.restart(event.seq)
          everyone.local.to(everybody).emit('lagged', { seq: event.seq, dropped: null })
        } else if (recent.add(event)) tell(event)
      }
    }
  }
  const followChanges = (): Follow => async (over, ready) => {
    version = await source.version(over)
    ready()
    for await (const event of source.changes(over)) {
      version = event.version
      if (event.kind === 'statistics') stats.add(event)
      else if (event.kind === 'domains') domains.add(event)
      else map.add(event)
    }
  }
  const whileWanted = (what: string, begin: () => Follow): WhileWanted =>
    new WhileWanted(async (over, ready) => {
      for (const follow = begin(); !over.aborted; await pause(retryMs, over))
        await follow(over, ready).catch((error: unknown) => {
          if (!over.aborted) log.warn({ what, reason: messageOf(error) }, 'the realtime channel lost its feed; trying on')
        })
    }, limits.lingerMs)
  const feeds = [whileWanted('expressions', followExpressions), whileWanted('changes', followChanges)]

  const subscribe = async (socket: Socket, wants: readonly Want[], content: unknown, answer: Answer): Promise<void> => {
    const wish = readWish(content)
    if ('detail' in wish) return answer(refused(wish))
    await Promise.all(wants.map((want) => want.ready(placeMs)))
    const { filter, after, recent: wanted } = wish
    const room = roomOf(filter)
    const isIn = socket.rooms.has(room)
    if (!isIn && [...socket.rooms].filter(isRoom).length >= limits.roomsPerClient)
      return answer(refused({ detail: `At most ${limits.roomsPerClient} subscriptions at once; unsubscribe from one first` }))
    if (!rooms.has(room) && rooms.size >= limits.rooms)
      return answer(refused({ detail: 'Too many different filters are in use; subscribe with a wider one' }))
    if (filter.domain !== undefined && !rooms.has(room)) {
      const known = await source.knowsDomain(filter.domain, AbortSignal.any([signal, AbortSignal.timeout(questionMs)]))
      if (!known) return answer(refused({ detail: `domain ${JSON.stringify(filter.domain)} is unknown` }))
    }
    const join = (older: readonly ExpressionEvent[]): void => {
      if (!socket.connected) return
      if (!rooms.has(room)) rooms.set(room, filter)
      // the adapters in use join at once; nothing can come between what is sent here and what the room gets
      void socket.join([room, everybody])
      answer({ ok: true, room, version, seq: recent.last })
      for (const event of older) socket.emit('expression:created', created(event))
    }
    if (after === undefined) return join(recent.newest(wanted, ({ expression }) => matches(filter, expression)))
    // another copy may be ahead of this one; a place that nobody has reached is of another feed
    const isOurs = after <= recent.last || after <= (await position())
    await missed.after(after, (missing) => {
      const found = isOurs ? missing : undefined
      join(found?.filter(({ expression }) => matches(filter, expression)) ?? [])
      if (found === undefined) socket.emit('lagged', { seq: recent.last, dropped: null })
    })
  }

  /** Where the feed stands; nowhere when it cannot be asked. */
  const position = (): Promise<number> =>
    source.position(AbortSignal.any([signal, AbortSignal.timeout(questionMs)])).catch((error: unknown) => {
      log.debug({ reason: messageOf(error) }, 'the feed cannot be asked where it stands')
      return 0
    })

  const unsubscribe = (socket: Socket, content: unknown): object => {
    const named = typeof content === 'object' && content !== null && 'room' in content ? content.room : undefined
    const wish = typeof named === 'string' ? undefined : readWish(content)
    if (wish !== undefined && 'detail' in wish) return refused(wish)
    const room = wish === undefined ? String(named) : roomOf(wish.filter)
    if (!isRoom(room) || !socket.rooms.has(room)) return refused({ detail: 'There is no such subscription' })
    void socket.leave(room)
    if (![...socket.rooms].some(isRoom)) void socket.leave(everybody)
    return { ok: true, room }
  }

  const serve = (socket: Socket): void => {
    const rate = new MessageRate(limits.burst, limits.perSecond)
    const inTurn = turns()
    const wants = feeds.map((feed) => feed.enter())
    socket.onAny((event: unknown, ...args: readonly unknown[]) => {
      const last = args.at(-1)
      const [content] = args
      // a client that wants no acknowledgement is told only what was refused
      const answer: Answer =
        typeof last === 'function' ? (value) => void last(value) : (value) => void ('detail' in value && socket.emit('refused', value))
      if (!rate.allows()) return answer(refused({ detail: `Too many messages; at most ${limits.perSecond} a second` }))
      if (event === 'subscribe')
        inTurn(() =>
          subscribe(socket, wants, typeof content === 'function' ? undefined : content, answer).catch((error: unknown) => {
            log.warn({ reason: messageOf(error) }, 'a realtime subscription failed')
            answer(refused({ detail: 'The service cannot answer just now; try again' }))
          }),
        )
      else if (event === 'unsubscribe') inTurn(async () => answer(unsubscribe(socket, content)))
      else answer(refused({ detail: `There is no such event; there are ${events.join(' and ')}` }))
    })
    copies.changed(io.engine.clientsCount)
    socket.once('disconnect', () => {
      for (const { leave } of wants) leave()
      copies.changed(io.engine.clientsCount)
    })
  }

  everyone.adapter.on('delete-room', (room: string) => rooms.delete(room))
  everyone.on('connection', serve)

  return {
    name: 'realtime',
    attach(server) {
      io.attach(server)
      io.engine.on('connection', (client: EngineClient) => {
        const rate = new MessageRate(limits.packetBurst, limits.packetsPerSecond)
        clients.add(client)
        client.on('close', () => clients.delete(client))
        client.on('packet', () => {
          if (rate.allows()) return
          log.warn({}, 'a realtime client that floods is cut off')
          client.close(true)
        })
      })
      copies.attach(io, (count) => everyone.local.to(everybody).emit('audience', { clients: count }))
    },
    async start(starting) {
      await copies.start(starting)
      sweep = setInterval(() => {
        for (const client of clients)
          if (client.writeBuffer.length > limits.waiting) {
            log.info({}, 'a realtime client that reads too slowly is cut off')
            client.close(true)
          }
      }, sweepMs)
    },
    async stop() {
      stopping.abort()
      clearInterval(sweep)
      for (const each of [stats, domains, map]) each.stop()
      // A lost transport is what clients connect again after; a server that disconnects them is not.
      io.engine?.close()
      await Promise.all(feeds.map((feed) => feed.stop()))
      await copies.stop()
    },
  }
}

/** Engine.IO brings a WebSocket server of its own, which waits 30 s for a client that is gone and keeps a pong for every ping of one that never reads. */
class WebSockets extends WebSocketServer {
  constructor(options: ServerOptions) {
    const bounded: ServerOptions & { readonly closeTimeout: number } = { ...options, closeTimeout: closeTimeoutMs }
    super(bounded)
  }
}

const refused = ({ detail }: RealtimeRefusal) => ({ ok: false, detail })

/** What Engine.IO tells of a client. */
interface EngineClient {
  /** what waits until the client reads */
  readonly writeBuffer: readonly unknown[]
  on(event: 'packet' | 'close', listener: () => void): void
  close(discard: boolean): void
}

/** Runs work one after the other. */
function turns(): (work: () => Promise<void>) => void {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work)
  }
}
