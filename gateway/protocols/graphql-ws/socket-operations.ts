import { GraphQLError } from 'graphql'
import type { SubscribePayload } from 'graphql-ws'
import { endableStream, linkedController } from '../../../foundation/concurrency/endable-stream.ts'
import type { AdmissionGate } from '../../../foundation/concurrency/load-gate.ts'
import { closeSoon } from '../../../foundation/http/close-socket.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { validTraceparent } from '../../../foundation/tracing/trace-context.ts'
import { failedResult } from '../../errors/masked-result.ts'
import { deferSpec20220824, type Payload, payloadsOf } from '../../execution/incremental/payloads.ts'
import { parseCursor } from '../../operation/cursor.ts'
import type { PreparedOperation } from '../../operation/prepared-operation.ts'
import { checkDepth } from '../../operation/variable-values.ts'
import type { ClientGraph } from '../../pipeline/client-graph.ts'
import type { PersistedOperations } from '../../pipeline/persisted-operations.ts'
import type { RateLimit } from '../../pipeline/rate-limit.ts'
import type { SharedSubscriptions } from '../../pipeline/subscriptions/shared-subscriptions.ts'
import { type GraphqlSocketOptions, maxMessageBytes, type SocketExtra } from './graphql-socket.ts'
import { type DeliveryLimits, socketDelivery } from './socket-delivery.ts'

export interface SocketOperationsOptions {
  /** returns the current graph */
  readonly graph: () => ClientGraph
  readonly subscriptions: SharedSubscriptions
  readonly persisted: Pick<PersistedOperations, 'registered'>
  /** counts each operation */
  readonly rate: RateLimit
  /** checked before each operation */
  readonly gate: AdmissionGate
  readonly log: Log
  readonly requestTimeoutMs: number
  readonly operationsPerClient: number
  readonly delivery: DeliveryLimits
  /** returns the state of a client; undefined before its init was accepted */
  readonly clientOf: (extra: SocketExtra) => Client | undefined
  readonly isDraining: () => boolean
}

/** The state of a client while its socket is open. */
export interface Client {
  readonly principal: Principal
  /** Returns the current principal: roles and sessions of the embedded issuer may end before the token. @throws {Unauthenticated} */
  readonly currentPrincipal: () => Promise<Principal>
  readonly requestId: string
  readonly address: string | undefined
  /** trace header for operations without one */
  readonly traceparent: string | undefined
  readonly disconnected: AbortSignal
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
  readonly resumes: boolean
}

/** Close code of a client that should connect again later. */
export const tryAgainLater = 1013

/** The operations of all clients of a socket: the hooks of graphql-ws for them. */
export interface SocketOperations extends Pick<GraphqlSocketOptions['hooks'], 'onSubscribe' | 'onComplete' | 'execute' | 'subscribe'> {
  /** Resolves when the queries and mutations in progress are answered. */
  answered(): Promise<unknown>
}

export function socketOperations(options: SocketOperationsOptions): SocketOperations {
  const { rate, log, requestTimeoutMs, delivery, clientOf, subscriptions } = options
  const admitted = new WeakMap<object, AdmittedOperation>()
  const answering = new Set<Promise<unknown>>()

  return {
    answered: () => Promise.allSettled(answering),
    onSubscribe: async ({ extra }, id, payload) => {
      const client = clientOf(extra)
      const { messageBytes } = extra
      try {
        if (client === undefined) throw new GraphQLError('Unauthorized', { extensions: { code: 'UNAUTHENTICATED' } })
        if (options.isDraining())
          throw new GraphQLError('The gateway is shutting down: connect again', { extensions: { code: 'ENGINE_UNAVAILABLE' } })
        checkCapacity(client, messageBytes, options.operationsPerClient)
        client.running.set(payload, messageBytes)
        const accepted = await admittedOperation(options, { extra, client, id, payload })
        const execution = {
          schema: accepted.executor.schema,
          document: accepted.operation.document,
          operationName: accepted.operation.name ?? null,
        }
        admitted.set(execution, accepted)
        // graphql-ws holds the message while its operation runs
        for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name)
        return execution
      } catch (error) {
        client?.running.delete(payload)
        return failedResult(error, { requestId: client?.requestId ?? 'none', log }).errors
      }
    },
    onComplete: ({ extra }, _, payload) => void clientOf(extra)?.running.delete(payload),
    execute: (execution) => {
      const { operation, variables, executor, client, cost, queryPlan, traceparent } = operationIn(admitted.get(execution))
      // Returns a stream of results: graphql-ws ends a stream when the client completes it, but not an execution.
      const end = linkedController(client.disconnected)
      const results = async function* (): AsyncGenerator<Payload, void> {
        const principal = await client.currentPrincipal()
        using context = requestContext({ ...client, principal, traceparent, log, timeoutMs: requestTimeoutMs, disconnected: end.signal })
        const { refusal } = await rate(client)
        if (refusal !== undefined) throw refusal
        if (cost) executor.report(context)
        if (queryPlan) executor.disclosePlan(context)
        yield* payloadsOf(await executor.execute(operation, variables, context, 'in parts'), deferSpec20220824)
      }
      return endableStream(
        registered(results(), answering),
        end,
        (result) => result,
        (error) => failedResult(error, { requestId: client.requestId, log }),
      )
    },
    subscribe: async (execution) => {
      const { operation, variables, client, id, connection, cursor, resumes, traceparent } = operationIn(admitted.get(execution))
      // graphql-ws holds the execution while the subscription runs
      admitted.delete(execution)
      const { socket } = connection
      const { refusal: tooMany } = await rate(client)
      if (tooMany !== undefined) return failedResult(tooMany, { requestId: client.requestId, log })
      const disconnected = linkedController(client.disconnected)
      const leave = (): void => disconnected.abort()
      const subscriber = socketDelivery(connection, id, delivery, leave, () => closeSoon(socket, tryAgainLater, 'Slow reader'))
      const { interrupt, ...ended } = subscriber
      const context = { ...client, log, cursor, traceparent }
      const refusal = await subscriptions.join(operation, variables, context, disconnected.signal, resumes ? subscriber : ended)
      if (refusal !== undefined) leave()
      return refusal ?? subscriber.stream
    },
  }
}

/** @throws {GraphQLError} LIMIT_EXCEEDED for a client with too many or too large concurrent operations */
function checkCapacity({ running }: Client, messageBytes: number, maxOperations: number): void {
  if (running.size >= maxOperations) throw exceeded(`More than ${maxOperations} operations at once`)
  const heldBytes = [...running.values()].reduce((sum, bytes) => sum + bytes, messageBytes)
  if (heldBytes > maxMessageBytes) throw exceeded(`The operations at once have more than ${maxMessageBytes} bytes`)
}

/** A Subscribe message of a client. */
interface SubscribeMessage {
  readonly extra: SocketExtra
  readonly client: Client
  readonly id: string
  readonly payload: SubscribePayload
}

/** @throws {InvalidOperation} {GraphQLError} {Overloaded} if the operation is refused */
async function admittedOperation(
  { graph, persisted, gate }: SocketOperationsOptions,
  { extra, client, id, payload }: SubscribeMessage,
): Promise<AdmittedOperation> {
  const { query, operationName, variables, extensions } = payload
  checkDepth(variables ?? {})
  // keeps this graph even if another is loaded meanwhile
  const { executor, operations } = graph()
  const text = persisted.registered({
    // graphql-ws requires a query string, which is empty for an operation sent by id
    query: query === '' ? undefined : query,
    documentId: 'documentId' in payload ? payload.documentId : undefined,
    persistedQuery: extensions?.persistedQuery,
  })
  await operations.turn(text ?? query, extra.address)
  const operation = operations.admit(text ?? query, operationName ?? undefined)
  gate.admit(operation.kind === 'mutation' ? 'write' : 'read')
  return {
    operation,
    variables: variables ?? {},
    executor,
    client,
    id,
    connection: extra,
    cursor: parseCursor(extensions?.cursor),
    traceparent: validTraceparent(extensions?.traceparent) ?? client.traceparent,
    resumes: extensions?.cursor !== undefined,
    cost: extensions?.cost === true,
    queryPlan: extensions?.queryPlan === true,
  }
}

/** Yields the response to a query or mutation, registered in `answering` until it is complete. */
async function* registered(results: AsyncGenerator<Payload, void>, answering: Set<Promise<unknown>>): AsyncGenerator<Payload, void> {
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

function operationIn<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('graphql-ws passed an operation that was not admitted')
  return value
}
