import type { IncomingMessage } from 'node:http'
import { type Socket, Server as SocketServer } from 'socket.io'
import { ClientSlots } from '../../../foundation/concurrency/client-slots.ts'
import { type AdmissionGate, alwaysOpenGate } from '../../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { messageOf } from '../../../foundation/fault.ts'
import { clientAddress } from '../../../foundation/http/client-address.ts'
import { everyHeader, mayConnect } from '../../../foundation/http/cors.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Executor } from '../../../gateway/executor/executor.ts'
import { CatchUp } from '../../live/catch-up.ts'
import type { FeedEvent } from '../../live/expression-feed.ts'
import { MessageRate } from '../../live/message-rate.ts'
import { RecentEvents } from '../../live/recent-events.ts'
import type { Sockets } from '../../live/sockets.ts'
import { Broadcast } from './broadcast.ts'
import { realtimeFeeds } from './feeds.ts'
import { type EngineClient, floodControl, WebSockets } from './flood-control.ts'
import { gatewaySource } from './gateway-source.ts'
import { type RealtimeLimits, realtimeLimits } from './limits.ts'
import { oneReplica, type Replicas, replicasOnRedis } from './replicas.ts'
import type { RealtimeSource } from './source.ts'
import { type Answer, refused, Subscriptions } from './subscriptions.ts'

export interface RealtimeOptions {
  readonly source: RealtimeSource
  readonly corsOrigins: Config['corsOrigins']
  readonly log: Log
  readonly limits?: Partial<RealtimeLimits>
  /** number of trusted proxies in front of this process (default: 0) */
  readonly trustedProxies?: number
  /** limit of sockets and streams of the whole process, which includes those of this channel */
  readonly processSlots?: ClientSlots | undefined
  /** called before a client connects or subscribes */
  readonly gate?: AdmissionGate
  /** other replicas of the same platform; none when absent */
  readonly replicas?: Replicas
}

const path = '/socket.realtime'
const connectMs = 10_000
const sweepMs = 2000
/** how long a subscribing client waits for the newest expressions and the version */
const placeMs = 2000
const events = ['subscribe', 'unsubscribe']

/** Creates the channel over an executor, joined with its replicas if the platform has a Redis. */
export function createRealtime(
  {
    executor,
    log,
    ...shared
  }: { readonly executor: Executor; readonly gate: AdmissionGate; readonly log: Log; readonly processSlots: ClientSlots },
  { corsOrigins, redis, trustedProxies, clientsPerAddress }: Pick<Config, 'corsOrigins' | 'redis' | 'trustedProxies' | 'clientsPerAddress'>,
): Sockets {
  const own = log.child({ component: 'realtime' })
  // without a limit of clients per address there is no limit of filters per address
  const unlimited = { subscriptionsPerAddress: clientsPerAddress, roomsPerAddress: clientsPerAddress }
  const limits = { clientsPerAddress, ...(Number.isFinite(clientsPerAddress) ? {} : unlimited) }
  const replicas = redis === undefined ? oneReplica() : replicasOnRedis({ ...redis, log: own })
  return realtime({
    ...shared,
    source: gatewaySource(executor, own),
    corsOrigins,
    trustedProxies,
    log: own,
    replicas,
    limits,
  })
}

/**
 * Socket.IO 4 at /socket.realtime. Every replica follows the event feed while it has clients and sends events to its own clients only, so a
 * client receives each event once. Replicas exchange only the number of clients. See docs/decisions/0010-each-replica-follows-the-feed.md.
 */
export function realtime({
  source,
  corsOrigins,
  log,
  limits: own = {},
  trustedProxies = 0,
  processSlots,
  gate = alwaysOpenGate,
  replicas = oneReplica(),
}: RealtimeOptions): Sockets {
  const limits = { ...realtimeLimits, ...own }
  const stopping = new AbortController()
  const io = new SocketServer({
    path,
    // the default would not match the documented path, which has no trailing slash
    addTrailingSlash: false,
    serveClient: false,
    maxHttpBufferSize: limits.frameBytes,
    connectTimeout: connectMs,
    cors: { origin: corsOrigins === 'any' ? '*' : [...corsOrigins], allowedHeaders: everyHeader },
    allowRequest(request, answer) {
      const reason = reasonAgainst(request)
      answer(reason ?? null, reason === undefined)
    },
    wsEngine: WebSockets,
    ...replicas.adapter,
  })
  const everyone = io.of('/')
  const recent = new RecentEvents<FeedEvent>(limits.retained)
  const broadcast = new Broadcast(everyone, limits.coalesceMs)
  const catchUp = new CatchUp(source, recent, log, stopping.signal)
  const feeds = realtimeFeeds({ source, recent, broadcast, catchUp, log, limits })
  const subscriptions = new Subscriptions({ source, recent, broadcast, catchUp, limits, signal: stopping.signal })
  const slots = new ClientSlots({ total: limits.clients, perClient: limits.clientsPerAddress, parent: processSlots })
  const addressOf = (request: IncomingMessage): string | undefined => clientAddress(request, trustedProxies)
  let cutSlowReaders = (): void => undefined
  let sweep: NodeJS.Timeout | undefined

  /** Returns the reason why a client may not connect; undefined if it may. */
  const reasonAgainst = (request: IncomingMessage): string | undefined => {
    if (slots.isFull) return 'Too many clients; try again later'
    if (slots.isExhausted(addressOf(request))) return 'Too many clients from this address; disconnect one, or try again later'
    if (gate.refusal('read') !== undefined) return 'Server overloaded; try again later'
    return mayConnect(request, corsOrigins) ? undefined : 'This origin is not allowed'
  }

  /** Holds one slot until the session ends, for polling as for WebSocket. */
  const hold = (client: EngineClient): void => {
    try {
      const slot = slots.take(addressOf(client.request))
      client.on('close', slot.release)
    } catch {
      // others have connected since its handshake
      client.close(true)
    }
  }

  const serve = (socket: Socket): void => {
    subscriptions.admit(socket, addressOf(socket.request))
    const rate = new MessageRate(limits.burst, limits.perSecond)
    const inTurn = turns()
    const fed = feeds.map((feed) => feed.enter())
    const ready = () => Promise.all(fed.map((feed) => feed.ready(placeMs)))
    socket.onAny((event: unknown, ...args: readonly unknown[]) => {
      const last = args.at(-1)
      const [content] = args
      // without an acknowledgement callback, a client is notified of refusals only
      const answer: Answer =
        typeof last === 'function' ? (value) => void last(value) : (value) => void ('detail' in value && socket.emit('refused', value))
      if (!rate.allows()) return answer(refused({ detail: `Too many messages; at most ${limits.perSecond} a second` }))
      const overload = event === 'subscribe' ? gate.refusal('read') : undefined
      if (overload !== undefined)
        answer(refused({ code: overload.code, detail: overload.message, retryAfterMs: overload.details.retryAfterMs ?? 1000 }))
      else if (event === 'subscribe')
        inTurn(() =>
          subscriptions.subscribe(socket, typeof content === 'function' ? undefined : content, answer, ready).catch((error: unknown) => {
            log.warn({ reason: messageOf(error) }, 'a realtime subscription failed')
            answer(refused({ detail: 'The service is unavailable; try again' }))
          }),
        )
      else if (event === 'unsubscribe') inTurn(async () => answer(subscriptions.unsubscribe(socket, content)))
      else answer(refused({ detail: `Unknown event; use ${events.join(' or ')}` }))
    })
    replicas.changed(io.engine.clientsCount)
    socket.once('disconnect', () => {
      for (const { leave } of fed) leave()
      replicas.changed(io.engine.clientsCount)
    })
  }
  everyone.on('connection', serve)

  return {
    name: 'realtime',
    attach(server) {
      io.attach(server)
      io.engine.on('connection', (client: EngineClient) => hold(client))
      cutSlowReaders = floodControl(io, limits, log)
      replicas.attach(io, (count) => broadcast.audience(count))
    },
    async start(starting) {
      await replicas.start(starting)
      sweep = setInterval(() => cutSlowReaders(), sweepMs)
    },
    async stop() {
      stopping.abort()
      clearInterval(sweep)
      broadcast.stop()
      // clients reconnect after a lost transport, but not after a server-side disconnect
      io.engine?.close()
      await Promise.all(feeds.map((feed) => feed.stop()))
      await replicas.stop()
    },
  }
}

/** Runs tasks one after another. */
function turns(): (work: () => Promise<void>) => void {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work)
  }
}
