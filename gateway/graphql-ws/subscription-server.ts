import type { IncomingMessage, Server } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import { CloseCode } from 'graphql-ws'
import type { ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import { type Door, openDoor } from '../../foundation/concurrency/load-gate.ts'
import type { Log } from '../../foundation/log.ts'
import type { Principal } from '../../foundation/principal.ts'
import { validTraceparent } from '../../foundation/tracing/trace-context.ts'
import type { ClientGraph } from '../admission/client-graph.ts'
import type { PersistedOperations } from '../admission/persisted-operations.ts'
import type { RateLimit } from '../admission/rate-limit.ts'
import { anonymousRequest, identifiedRequest, unadmittedMessage } from '../admission/request-limits.ts'
import { graphqlErrorOf } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import type { PreparedOperation } from '../executor.ts'
import { type Authentication, isIdentified, signInDeadline } from '../http/authentication.ts'
import type { Backlog } from '../http/backlog.ts'
import { closeSoon } from '../http/close-socket.ts'
import { closeWhenExpired, closeWhenRevoked, revocable } from '../http/credentials-end.ts'
import { deferSpec20220824, type Payload, payloadsOf } from '../incremental/payloads.ts'
import { checkDepth } from '../planning/variable-values.ts'
import { requestContext, requestIdOf } from '../request-context.ts'
import { cursorGiven } from '../subscriptions/cursor.ts'
import { endableStream, linkedController } from '../subscriptions/endable-stream.ts'
import type { SharedSubscriptions } from '../subscriptions/shared-subscriptions.ts'
import { type GraphqlSocket, graphqlSocket, largestMessageBytes, type SocketExtra } from './graphql-socket.ts'
import { initCredentials } from './init-credentials.ts'
import { type DeliveryLimits, socketDelivery } from './socket-delivery.ts'

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
  readonly door?: Door
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

/** The state of a client while its socket is open. */
interface Client {
  readonly principal: Principal
  /** Returns the current principal: roles and sessions of the embedded issuer may end before the token. @throws {Unauthenticated} */
  readonly currentPrincipal: () => Promise<Principal>
  readonly requestId: string
  readonly address: string | undefined
  /** trace header for operations without one */
  readonly traceparent: string | undefined
  readonly gone: AbortSignal
  /** running operations with the sizes of their messages: graphql-ws forgets a completed one before it has ended */
  readonly running: Map<object, number>
}

/** An operation between the hooks of graphql-ws. */
interface AdmittedOperation {
  /** whether the response contains the estimated cost */
  readonly cost: boolean
  /** whether it contains the query plan */
  readonly queryPlan: boolean
  readonly operation: PreparedOperation
  readonly variables: Readonly<Record<string, unknown>>
  /** executor that prepared it */
  readonly executor: ClientGraph['executor']
  readonly client: Client
  readonly id: string
  readonly connection: Pick<SocketExtra, 'socket' | 'backlog'>
  readonly cursor: string | undefined
  readonly traceparent: string | undefined
  /** whether the client resumes with a cursor: it is then not notified of the end when the gateway stops */
  readonly comesBack: boolean
}

const tryAgainLater = 1013
/** Maximum length of an id, which each event repeats. */
const longestId = 256
const defaultDelivery: DeliveryLimits = { highWaterBytes: 256 * 1024, maxBytes: 4 * 1024 * 1024, readTimeoutMs: 5000 }

/**
 * Serves graphql-transport-ws. Close codes: 4400 invalid message, 4401 no valid credentials (also after the key was revoked), 4403 token expired
 * (reconnect with a new one), 4408 no init in time, 4409 duplicate id, 4429 second init, 1013 slow client or too many connections of the address or
 * caller, 1001 drain (every operation is completed first). Credentials are "X-Service-API-Key" and "authorization" in the init payload; without both
 * a client is anonymous.
 */
export function subscriptionServer(options: SubscriptionServerOptions): GraphqlSocket {
  const {
    graph,
    persisted,
    rate,
    authentication,
    log,
    requestTimeoutMs,
    delivery = defaultDelivery,
    messageBytes,
    anonymousMessageBytes = messageBytes,
    operationsPerClient = 100,
    door = openDoor,
    graceMs,
  } = options
  const { subscriptions: shared } = options
  const clients = new WeakMap<SocketExtra, Client>()
  const admitted = new WeakMap<object, AdmittedOperation>()
  const answering = new Set<Promise<unknown>>()
  let draining = false

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
      onConnect: async ({ connectionParams, extra }) => {
        const { socket, request, address } = extra
        const gone = new AbortController()
        socket.once('close', () => gone.abort())
        try {
          door.admit('read')
          const credentials = initCredentials(connectionParams ?? {})
          const principal = await authentication.principalOf(credentials, signInDeadline(credentials, gone.signal, requestTimeoutMs))
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
                : authentication.principalOf(credentials, signInDeadline(credentials, gone.signal, requestTimeoutMs)),
            requestId,
            address,
            traceparent: validTraceparent(connectionParams?.traceparent),
            gone: gone.signal,
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
      },
      onSubscribe: ({ extra }, id, payload) => {
        const { query, operationName, variables, extensions } = payload
        const client = clients.get(extra)
        const masking = { requestId: client?.requestId ?? 'none', log }
        try {
          if (client === undefined) throw new GraphQLError('Unauthorized', { extensions: { code: 'UNAUTHENTICATED' } })
          if (draining) throw new GraphQLError('The gateway is about to stop', { extensions: { code: 'ENGINE_UNAVAILABLE' } })
          if (id.length > longestId) throw exceeded(`The id has more than ${longestId} characters`)
          if (client.running.size >= operationsPerClient) throw exceeded(`More than ${operationsPerClient} operations at once`)
          const heldBytes = [...client.running.values()].reduce((sum, bytes) => sum + bytes, extra.messageBytes)
          if (heldBytes > largestMessageBytes) throw exceeded(`The operations at once have more than ${largestMessageBytes} bytes`)
          checkDepth(variables ?? {})
          const { executor, operations } = graph()
          const text = persisted.registered({
            // graphql-ws requires a query string, which is empty for an operation sent by id
            query: query === '' ? undefined : query,
            documentId: 'documentId' in payload ? payload.documentId : undefined,
            persistedQuery: payload.extensions?.persistedQuery,
          })
          const operation = operations.admit(text ?? query, operationName ?? undefined)
          door.admit(operation.kind === 'mutation' ? 'write' : 'read')
          const execution = {
            schema: executor.schema,
            document: operation.document,
            operationName: operation.name ?? null,
          }
          const comesBack = extensions?.cursor !== undefined
          admitted.set(execution, {
            operation,
            variables: variables ?? {},
            executor,
            client,
            id,
            connection: extra,
            cursor: cursorGiven(extensions?.cursor),
            traceparent: validTraceparent(extensions?.traceparent) ?? client.traceparent,
            comesBack,
            cost: extensions?.cost === true,
            queryPlan: extensions?.queryPlan === true,
          })
          client.running.set(payload, extra.messageBytes)
          // graphql-ws holds the message while its operation runs
          for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name)
          return execution
        } catch (error) {
          return failedResult(error, masking).errors
        }
      },
      execute: (execution) => {
        const { operation, variables, executor, client, cost, queryPlan, traceparent } = found(admitted.get(execution))
        // Returns a stream of results: graphql-ws ends a stream when the client completes it, but not an execution.
        const end = linkedController(client.gone)
        const results = async function* (): AsyncGenerator<Payload, void> {
          const principal = await client.currentPrincipal()
          using context = requestContext({ ...client, principal, traceparent, log, timeoutMs: requestTimeoutMs, clientGone: end.signal })
          const { refusal } = await rate(client)
          if (refusal !== undefined) throw refusal
          if (cost) executor.report(context)
          if (queryPlan) executor.tellPlan(context)
          yield* payloadsOf(await executor.execute(operation, variables, context, 'in parts'), deferSpec20220824)
        }
        return endableStream(
          noted(results(), answering),
          end,
          (result) => result,
          (error) => failedResult(error, { requestId: client.requestId, log }),
        )
      },
      onComplete: ({ extra }, _, payload) => void clients.get(extra)?.running.delete(payload),
      subscribe: async (execution) => {
        const { operation, variables, client, id, connection, cursor, comesBack, traceparent } = found(admitted.get(execution))
        // graphql-ws holds the execution while the subscription runs
        admitted.delete(execution)
        const { socket } = connection
        const { refusal: tooMany } = await rate(client)
        if (tooMany !== undefined) return failedResult(tooMany, { requestId: client.requestId, log })
        const left = linkedController(client.gone)
        const leave = (): void => left.abort()
        const subscriber = socketDelivery(connection, id, delivery, leave, () => closeSoon(socket, tryAgainLater, 'Slow reader'))
        const { interrupt, ...ended } = subscriber
        const context = { ...client, log, cursor, traceparent }
        const refusal = await shared.join(operation, variables, context, left.signal, comesBack ? subscriber : ended)
        if (refusal !== undefined) leave()
        return refusal ?? subscriber.stream
      },
    },
  })
  return {
    async stop() {
      draining = true
      await Promise.race([Promise.allSettled(answering), sleep(graceMs, undefined, { ref: false })])
      // graphql-ws has processed the end of each operation; its messages are written in the next turns of the loop.
      await setImmediate()
      await sockets.stop()
    },
  }
}

/** Yields the response to a query or mutation, registered in `answering` until it is complete. */
async function* noted(results: AsyncGenerator<Payload, void>, answering: Set<Promise<unknown>>): AsyncGenerator<Payload, void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  answering.add(promise)
  try {
    yield* results
  } finally {
    answering.delete(promise)
    resolve()
  }
}

function exceeded(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' } })
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('graphql-ws passed another operation than it was given')
  return value
}
