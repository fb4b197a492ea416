import type { IncomingMessage, Server } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { CloseCode } from 'graphql-ws'
import type { ClientSlots } from '../../../foundation/concurrency/client-slots.ts'
import { type AdmissionGate, alwaysOpenGate } from '../../../foundation/concurrency/load-gate.ts'
import { Unauthenticated } from '../../../foundation/fault.ts'
import {
  type Authentication,
  accessLinkHeader,
  type Credentials,
  isIdentified,
  signInDeadline,
} from '../../../foundation/http/authentication.ts'
import type { Backlog } from '../../../foundation/http/backlog.ts'
import { closeSoon } from '../../../foundation/http/close-socket.ts'
import { closeWhenExpired, closeWhenRevoked, revocable } from '../../../foundation/http/credentials-end.ts'
import { requestIdOf } from '../../../foundation/http/request-context.ts'
import type { Log } from '../../../foundation/log.ts'
import { validTraceparent } from '../../../foundation/tracing/trace-context.ts'
import { anonymousRequest, identifiedRequest, unadmittedMessage } from '../../admission/request-limits.ts'
import { graphqlErrorOf } from '../../errors/masked-error.ts'
import type { ClientGraph } from '../../pipeline/client-graph.ts'
import type { PersistedOperations } from '../../pipeline/persisted-operations.ts'
import type { RateLimit } from '../../pipeline/rate-limit.ts'
import type { SharedSubscriptions } from '../../pipeline/subscriptions/shared-subscriptions.ts'
import { type GraphqlSocket, type GraphqlSocketOptions, graphqlSocket, type SocketExtra } from './graphql-socket.ts'
import type { DeliveryLimits } from './socket-delivery.ts'
import { type Client, socketOperations, tryAgainLater } from './socket-operations.ts'

export interface SubscriptionServerOptions {
  readonly server: Server
  readonly path: string
  /** returns the current graph */
  readonly graph: () => ClientGraph
  /** shared with HTTP clients; the owner ends them before this stops */
  readonly subscriptions: SharedSubscriptions
  readonly persisted: Pick<PersistedOperations, 'registered'>
  /** unread data, shared with HTTP clients */
  readonly backlog: Backlog
  /** counts each operation */
  readonly rate: RateLimit
  readonly authentication: Authentication
  readonly log: Log
  readonly requestTimeoutMs: number
  /** number of trusted proxies in front of this process; default 0 */
  readonly trustedProxies?: number
  readonly messageBytes: number
  /** message limit of a client without a verified key or token (default: `messageBytes`) */
  readonly anonymousMessageBytes?: number
  /** checked before a client is admitted and before each operation */
  readonly gate?: AdmissionGate
  /** connection limits: total, per address and per caller (default: unlimited) */
  readonly slots?: ClientSlots
  /** whether pages of an origin may connect (default: any); otherwise the upgrade is refused with 403 */
  readonly allows?: (request: IncomingMessage) => boolean
  /** limits of unread data per client */
  readonly delivery?: DeliveryLimits
  readonly initTimeoutMs?: number
  /** maximum concurrent operations per client; their messages are limited to 1 MiB in total */
  readonly operationsPerClient?: number
  /** time limit of a drain, ms */
  readonly graceMs: number
}

const defaultDelivery: DeliveryLimits = { highWaterBytes: 256 * 1024, maxBytes: 4 * 1024 * 1024, readTimeoutMs: 5000 }

/**
 * Serves graphql-transport-ws. Close codes: 4400 invalid message, 4401 no valid credentials (also after the key was revoked), 4403 token expired
 * (reconnect with a new one), 4408 no init in time, 4409 duplicate id, 4429 second init, 1013 slow client or too many connections of the address or
 * caller, 1001 drain (every operation is completed first). Credentials are "X-Service-API-Key" and "authorization" in the init payload; without both
 * a client is anonymous.
 */
export function subscriptionServer(options: SubscriptionServerOptions): GraphqlSocket {
  const { log, messageBytes, delivery = defaultDelivery, operationsPerClient = 100, gate = alwaysOpenGate } = options
  const clients = new WeakMap<SocketExtra, Client>()
  let draining = false
  const { answered, ...operationHooks } = socketOperations({
    ...options,
    delivery,
    operationsPerClient,
    gate,
    clientOf: (extra) => clients.get(extra),
    isDraining: () => draining,
  })
  const sockets = graphqlSocket({
    server: options.server,
    path: options.path,
    backlog: options.backlog,
    log,
    messageBytes,
    limitsBeforeAdmission: unadmittedMessage,
    ...(options.slots !== undefined && { slots: options.slots }),
    ...(options.trustedProxies !== undefined && { trustedProxies: options.trustedProxies }),
    ...(options.allows !== undefined && { allows: options.allows }),
    hooks: {
      connectionInitWaitTimeout: options.initTimeoutMs ?? 10_000,
      onConnect: connecting({ ...options, gate }, clients),
      ...operationHooks,
    },
  })
  return {
    async stop() {
      draining = true
      await Promise.race([answered(), sleep(options.graceMs, undefined, { ref: false })])
      // graphql-ws has processed the end of each operation; its messages are written in the next turns of the loop.
      await setImmediate()
      await sockets.stop()
    },
  }
}

/** Authenticates clients by their init payload; closes the socket of a client that is refused. @param clients - receives the accepted ones */
function connecting(
  {
    authentication,
    requestTimeoutMs,
    gate,
    messageBytes,
    anonymousMessageBytes = messageBytes,
  }: SubscriptionServerOptions & { readonly gate: AdmissionGate },
  clients: WeakMap<SocketExtra, Client>,
): NonNullable<GraphqlSocketOptions['hooks']['onConnect']> {
  return async ({ connectionParams, extra }) => {
    const { socket, request, address } = extra
    const disconnected = new AbortController()
    socket.once('close', () => disconnected.abort())
    try {
      gate.admit('read')
      const credentials = initCredentials(connectionParams ?? {})
      const principal = await authentication.principalOf(credentials, signInDeadline(credentials, disconnected.signal, requestTimeoutMs))
      const requestId = requestIdOf(request.headers['x-request-id'])
      extra.slot.assign(principal)
      const limits = isIdentified(principal)
        ? { ...identifiedRequest, bytes: messageBytes }
        : { ...anonymousRequest, bytes: anonymousMessageBytes }
      extra.admit(limits, requestId)
      clients.set(extra, {
        principal,
        currentPrincipal: async () =>
          principal.user?.session === undefined
            ? principal
            : authentication.principalOf(credentials, signInDeadline(credentials, disconnected.signal, requestTimeoutMs)),
        requestId,
        address,
        traceparent: validTraceparent(connectionParams?.traceparent),
        disconnected: disconnected.signal,
        running: new Map(),
      })
      closeWhenExpired(socket, principal)
      closeWhenRevoked(socket, principal, (signal) => authentication.principalOf(revocable(credentials, principal), signal))
      return true
    } catch (error) {
      const { message, extensions } = graphqlErrorOf(error)
      if (extensions.code === 'UNAUTHENTICATED') closeSoon(socket, CloseCode.Unauthorized, 'Unauthorized')
      else if (extensions.code === 'RATE_LIMITED') closeSoon(socket, tryAgainLater, message)
      else closeSoon(socket, tryAgainLater, 'Try again later')
      return false
    }
  }
}

/** Reads the credentials of an init payload; header names are case-insensitive. */
function initCredentials(parameters: Readonly<Record<string, unknown>>): Credentials {
  const named = (wanted: string): string | undefined => {
    const member = Object.entries(parameters).find(([name]) => name.toLowerCase() === wanted)
    if (member === undefined) return undefined
    // a key that is not a string is invalid, not absent
    if (typeof member[1] !== 'string') throw new Unauthenticated(`${wanted} is not a string`)
    return member[1]
  }
  return { apiKey: named('x-service-api-key'), authorization: named('authorization'), accessLink: named(accessLinkHeader), named }
}
