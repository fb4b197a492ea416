import type { IncomingMessage, Server } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import { CloseCode } from 'graphql-ws'
import type { ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import { type Door, openDoor } from '../../foundation/concurrency/load-gate.ts'
import type { Log } from '../../foundation/log.ts'
import type { Principal } from '../../foundation/principal.ts'
import { traceparentGiven } from '../../foundation/tracing/trace-context.ts'
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
  /** the one of now */
  readonly graph: () => ClientGraph
  /** also those of clients over HTTP; whoever gives them ends them before this stops */
  readonly subscriptions: SharedSubscriptions
  readonly persisted: Pick<PersistedOperations, 'registered'>
  /** what waits for them and for those over HTTP */
  readonly backlog: Backlog
  /** counts each operation */
  readonly rate: RateLimit
  readonly authentication: Authentication
  readonly log: Log
  readonly requestTimeoutMs: number
  /** how many proxies of ours stand before this process; none when absent */
  readonly trustedProxies?: number
  readonly messageBytes: number
  /** of a client without a verified key or token (default: `messageBytes`) */
  readonly anonymousMessageBytes?: number
  /** asked before a client is let in, and before each operation */
  readonly door?: Door
  /** connections at once, in all, of an address and of a caller (default: any number) */
  readonly slots?: ClientSlots
  /** whether a page of another origin may connect (default: any may); else the upgrade is refused with 403 */
  readonly allows?: (request: IncomingMessage) => boolean
  /** what may wait for a slow client */
  readonly delivery?: DeliveryLimits
  readonly initTimeoutMs?: number
  /** operations that one client may run at once; their messages may have 1 MiB together */
  readonly operationsPerClient?: number
  /** how long a drain waits for what is being answered */
  readonly graceMs: number
}

/** What is known of a client while its socket is open. */
interface Client {
  readonly principal: Principal
  /** The caller as of now: roles and sessions at the issuer in the platform may end before the token. @throws {Unauthenticated} */
  readonly currentPrincipal: () => Promise<Principal>
  readonly requestId: string
  readonly address: string | undefined
  /** of its trace, for operations that tell none of their own */
  readonly traceparent: string | undefined
  readonly gone: AbortSignal
  /** the operations that run, with the size of their messages: graphql-ws forgets one that the client completes before it has ended */
  readonly running: Map<object, number>
}

/** An operation between the hooks of graphql-ws. */
interface AdmittedOperation {
  /** whether the answer is to tell what it was estimated to cost */
  readonly cost: boolean
  /** whether it is to tell how it was planned */
  readonly queryPlan: boolean
  readonly operation: PreparedOperation
  readonly variables: Readonly<Record<string, unknown>>
  /** that prepared it */
  readonly executor: ClientGraph['executor']
  readonly client: Client
  readonly id: string
  readonly connection: Pick<SocketExtra, 'socket' | 'backlog'>
  readonly cursor: string | undefined
  readonly traceparent: string | undefined
  /** whether the client goes on with a cursor when it connects again: it is not told that the stream is over when only the gateway is */
  readonly comesBack: boolean
}

const tryAgainLater = 1013
/** It is in every event. */
const longestId = 256
const defaultDelivery: DeliveryLimits = { highWaterBytes: 256 * 1024, maxBytes: 4 * 1024 * 1024, readTimeoutMs: 5000 }

/**
 * graphql-transport-ws for clients. Close codes: 4400 bad message, 4401 no valid credentials (also once the key is revoked), 4403 the token
 * is over (connect again with a fresh one), 4408 no init in time, 4409 an id that runs already, 4429 a second init, 1013 slow reader, or too
 * many connections of the address or the caller, 1001 drain (every operation is completed first).
 * Credentials are the init payload's "X-Service-API-Key" and "authorization"; neither makes an anonymous client.
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
            traceparent: traceparentGiven(connectionParams?.traceparent),
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
            // graphql-ws wants a text in every message: an operation by its id has an empty one
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
            traceparent: traceparentGiven(extensions?.traceparent) ?? client.traceparent,
            comesBack,
            cost: extensions?.cost === true,
            queryPlan: extensions?.queryPlan === true,
          })
          client.running.set(payload, extra.messageBytes)
          // graphql-ws holds the message for as long as its operation runs
          for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name)
          return execution
        } catch (error) {
          return failedResult(error, masking).errors
        }
      },
      execute: (execution) => {
        const { operation, variables, executor, client, cost, queryPlan, traceparent } = found(admitted.get(execution))
        // A stream of results, not the answer: graphql-ws ends a stream when the client completes it, and lets an execution run on.
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
        // graphql-ws holds the execution for as long as the subscription runs
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
      // graphql-ws has now been told that each operation is over; what it says to the clients is written in the next turns of the loop.
      await setImmediate()
      await sockets.stop()
    },
  }
}

/** The answer to a query or mutation, which is among the `answering` until all of it is there. */
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
