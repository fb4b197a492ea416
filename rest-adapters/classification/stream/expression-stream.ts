import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Registry } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import { ClientSlots } from '../../../foundation/concurrency/client-slots.ts'
import { type AdmissionGate, alwaysOpenGate } from '../../../foundation/concurrency/load-gate.ts'
import type { Authentication } from '../../../foundation/http/authentication.ts'
import { clientAddress } from '../../../foundation/http/client-address.ts'
import { closeSoon, refuseUpgrade } from '../../../foundation/http/close-socket.ts'
import type { Log } from '../../../foundation/log.ts'
import { excerpt } from '../../../foundation/validation/values.ts'
import { described } from '../../../gateway/errors/without-values.ts'
import type { Executor } from '../../../gateway/executor/executor.ts'
import { CachedTaxonomy } from '../../live/cached-taxonomy.ts'
import { MessageRate } from '../../live/message-rate.ts'
import type { Sockets } from '../../live/sockets.ts'
import { SubscriptionBoundWork } from '../../live/while-subscribed.ts'
import { refusal } from '../../response/fault-to-http.ts'
import { Audience } from './audience.ts'
import { StreamClient } from './client.ts'
import { closeCodes, closeFor } from './closing.ts'
import { readStreamQuery, type StreamFilter, shownFilter, UnknownValue } from './filter.ts'
import { readClientFrame } from './frames.ts'
import { type StreamLimits, streamLimits } from './limits.ts'
import { type StreamMetrics, streamMetrics } from './metrics.ts'
import type { FrameData } from './server-frames.ts'
import { type Admission, SignIn } from './sign-in.ts'
import { type ExpressionSource, expressionSource } from './source.ts'

export interface StreamOptions {
  readonly source: ExpressionSource
  readonly authentication: Authentication
  readonly log: Log
  readonly metrics: StreamMetrics
  readonly limits?: Partial<StreamLimits>
  /** called before a client connects */
  readonly gate?: AdmissionGate
  /** number of trusted proxies in front of this process (default: 0) */
  readonly trustedProxies?: number
  /** limit of sockets and streams of the whole process, which includes those of this channel */
  readonly processSlots?: ClientSlots | undefined
}

/** Creates the stream over an executor, with Prometheus metrics. */
export function createExpressionStream(options: {
  readonly executor: Executor
  readonly authentication: Authentication
  readonly log: Log
  readonly registry: Registry
  readonly gate: AdmissionGate
  readonly limits: Partial<StreamLimits>
  readonly trustedProxies: number
  readonly processSlots: ClientSlots
}): Sockets {
  const { executor, registry } = options
  const log = options.log.child({ component: 'stream of expressions' })
  return expressionStream({ ...options, log, source: expressionSource(executor, log), metrics: streamMetrics(registry) })
}

/** A client with its admission. */
interface Begun {
  readonly client: StreamClient
  readonly admission: Admission
}

const path = '/ws'
/** ids of the taxonomy in an error */
const maxListed = 1000
const checkEveryMs = 500
/** how long a client waits for the state of the stream; afterwards it is accepted without */
const placeMs = 5000

/**
 * The documented WebSocket of component C with frames `{type, seq, data}`. One subscription of the executor serves all clients of this
 * process; each client's filter is evaluated in memory. Close codes: 4400 invalid filter or frame, 4401 no valid token, 4403 token expired,
 * 1008 too many frames, 1009 frame too large, 1013 slow reader or too many connections, 1001 shutdown.
 */
export function expressionStream(options: StreamOptions): Sockets {
  const { source, authentication, log, metrics, gate = alwaysOpenGate, trustedProxies = 0, limits: own = {} } = options
  const limits = { ...streamLimits, ...own }
  const stopping = new AbortController()
  const { signal } = stopping
  const audience = new Audience({ source, retained: limits.retained, metrics, log, signal })
  const signIn = new SignIn(authentication, limits.clientsPerUser)
  const taxonomy = new CachedTaxonomy(async (reading) => (await source.state(reading)).taxonomy)
  const slots = new ClientSlots({ total: limits.clients, perClient: limits.clientsPerAddress, parent: options.processSlots })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false })
  const following = new SubscriptionBoundWork(
    (over, ready) =>
      audience.follow(over, ready).catch((error: unknown) => log.error({ err: described(error) }, 'the stream of expressions failed')),
    limits.lingerMs,
  )
  let timers: readonly NodeJS.Timeout[] = []

  /** @throws {InvalidInput} for an id that the taxonomy does not contain */
  const checkTaxonomy = async ({ taxonomy: ids }: StreamFilter): Promise<void> => {
    if (ids === undefined || (await taxonomy.hasAll(ids, signal))) return
    const unknown = ids.find((id) => !taxonomy.ids.has(id)) ?? ''
    throw new UnknownValue(
      `taxonomy contains an unknown id: ${excerpt(unknown)}; valid lists the ids`,
      [...taxonomy.ids].slice(0, maxListed),
    )
  }

  const welcome = ({ client, admission }: Begun): void =>
    client.sendFrame('welcome', audience.last, {
      filters: shownFilter(client.filter),
      ignored: [...client.filter.ignored],
      heartbeat_s: limits.heartbeatMs / 1000,
      ...expiryOf(admission),
    })

  const begin = async (socket: WebSocket, query: URLSearchParams): Promise<Begun> => {
    const admission = await signIn.admit(socket, query, signal)
    const filter = readStreamQuery(query)
    const { ready, leave } = following.enter()
    socket.once('close', leave)
    await Promise.all([checkTaxonomy(filter), ready(placeMs)])
    return { client: new StreamClient(socket, filter, limits, metrics.dropped), admission }
  }

  const receive = async (begun: Begun, text: string): Promise<void> => {
    const { client, admission } = begun
    const frame = readClientFrame(text)
    if (frame.type === 'token') {
      await admission.renew(frame.token)
      return client.sendFrame('token', audience.last, expiryOf(admission))
    }
    if (frame.type === 'resume') return audience.resume(client, frame.fromSeq)
    await checkTaxonomy(frame.filter)
    if (!(await client.room())) return
    client.filter = frame.filter
    welcome(begun)
  }

  const serve = (socket: WebSocket, query: URLSearchParams): void => {
    // ws itself closes with 1009 or 1007 for frames that are too large or malformed
    socket.on('error', (error) => log.debug({ err: described(error) }, 'a client of the stream failed'))
    const rate = new MessageRate(limits.burst, limits.perSecond)
    const refuse = (error: unknown): void => closeFor(socket, error, audience.last, { log, signal })
    const begun = begin(socket, query)
    let last: Promise<unknown> = begun.then((started) => {
      const { client } = started
      if (socket.readyState !== socket.OPEN) return
      audience.add(client)
      socket.once('close', () => audience.remove(client))
      welcome(started)
    })
    last.catch(refuse)
    socket.on('message', (data) => {
      if (socket.readyState !== socket.OPEN) return
      if (!rate.allows()) {
        closeSoon(socket, closeCodes.flood, 'Too many frames')
        return
      }
      const text = String(data)
      last = last.then(async () => receive(await begun, text))
      last.catch(refuse)
    })
    socket.once('close', (code) => metrics.closed(code))
  }

  const accept = (socket: WebSocket, request: IncomingMessage, connection: Duplex, query: URLSearchParams): void => {
    try {
      const slot = slots.take(clientAddress(request, trustedProxies))
      connection.once('close', slot.release)
      serve(socket, query)
    } catch (error) {
      // browsers can read frames and close codes, but not an HTTP status
      socket.on('error', () => undefined)
      closeFor(socket, error, audience.last, { log, signal })
    }
  }

  const upgrade = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    connection.on('error', () => connection.destroy())
    if (connection.destroyed) return
    const { pathname, searchParams } = addressOf(request)
    if (pathname !== path) refuse(connection, 404, 'Not Found')
    else if (slots.isFull || signal.aborted) refuse(connection, 503, 'Too many connections; try again later')
    else if (gate.refusal('read') !== undefined) refuse(connection, 503, 'Server overloaded; try again later')
    else sockets.handleUpgrade(request, connection, head, (socket) => accept(socket, request, connection, searchParams))
  }

  return {
    name: 'stream of expressions',
    attach: (server: HttpServer) => void server.on('upgrade', upgrade),
    async start() {
      const beat = (): void => {
        for (const client of audience.clients) {
          client.ping()
          client.sendFrame('heartbeat', audience.last, { at: new Date().toISOString() })
        }
      }
      const look = (): void => {
        const now = performance.now()
        for (const client of audience.clients) client.checkReader(now)
      }
      timers = [setInterval(beat, limits.heartbeatMs), setInterval(look, checkEveryMs)]
    },
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      const open = [...sockets.clients]
      const closed = Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      for (const socket of open) closeSoon(socket, closeCodes.goingAway, 'Going away')
      await closed
      await following.stop()
    },
  }
}

const expiryOf = ({ expiresAt }: Admission): FrameData<'token'> => ({ expires_at: new Date(expiresAt * 1000).toISOString() })

const refuse = (connection: Duplex, status: number, sentence: string): void =>
  refuseUpgrade(connection, status, refusal(status, sentence).body)

/** Returns an unknown path for a malformed address. */
function addressOf({ url }: IncomingMessage): Pick<URL, 'pathname' | 'searchParams'> {
  const address = URL.parse(url ?? '', 'http://stream')
  return address ?? { pathname: '', searchParams: new URLSearchParams() }
}
