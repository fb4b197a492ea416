import type { Server } from 'node:http'
import { GraphQLError } from 'graphql'
import { CloseCode } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { Log } from '../subgraphs/foundation/log.ts'
import type { Principal } from '../subgraphs/foundation/principal.ts'
import type { RequestContext } from '../subgraphs/foundation/request-context.ts'
import type { Authentication, Credentials } from './authentication.ts'
import { clientAddress } from './client-address.ts'
import type { ClientOperations } from './client-operations.ts'
import { linkedController } from './endable-stream.ts'
import { graphqlErrorOf, maskedError } from './error-masking.ts'
import { type Executor, InvalidOperation, type PreparedOperation } from './executor.ts'
import { closeSoon, type GraphqlSocket, graphqlSocket, type SocketExtra } from './graphql-socket.ts'
import { requestContext, requestIdOf } from './request-context.ts'
import { sharedSubscriptions } from './shared-subscriptions.ts'
import { type DeliveryLimits, socketDelivery } from './socket-delivery.ts'
import { closeWhenOver } from './token-end.ts'

export interface SubscriptionServerOptions {
  readonly server: Server
  readonly path: string
  readonly executor: Executor
  readonly operations: ClientOperations
  readonly authentication: Authentication
  readonly log: Log
  readonly requestTimeoutMs: number
  /** how many proxies of ours stand before this process; none when absent */
  readonly trustedProxies?: number
  readonly messageBytes: number
  /** what may wait for a slow client */
  readonly delivery?: DeliveryLimits
  readonly initTimeoutMs?: number
  /** operations that one client may run at once */
  readonly operationsPerClient?: number
}

/** What is known of a client while its socket is open. */
interface Client {
  readonly principal: Principal
  readonly requestId: string
  readonly address: string | undefined
  readonly gone: AbortSignal
}

const tryAgainLater = 1013
/** An init carries a key and a token. */
const bytesBeforeAdmission = 64 * 1024
const roomy: DeliveryLimits = { calmBytes: 256 * 1024, mostBytes: 4 * 1024 * 1024, patienceMs: 5000 }

/**
 * graphql-transport-ws for clients. Close codes: 4400 bad message, 4401 no valid credentials, 4403 the token is over (connect again with a
 * fresh one), 4408 no init in time, 4409 an id that runs already, 4429 a second init, 1013 slow reader, 1001 drain.
 * Credentials are the init payload's "X-Service-API-Key" and "authorization"; neither makes an anonymous client.
 */
export function subscriptionServer(options: SubscriptionServerOptions): GraphqlSocket {
  const { executor, operations, authentication, log, requestTimeoutMs, delivery = roomy, operationsPerClient = 100 } = options
  const shared = sharedSubscriptions(executor, log)
  const clients = new WeakMap<SocketExtra, Client>()
  const asked = new WeakMap<
    object,
    { readonly operation: PreparedOperation; readonly client: Client; readonly id: string; readonly socket: WebSocket }
  >()

  const contextOf = (client: Client, timeoutMs: number): RequestContext & Disposable =>
    requestContext({ ...client, log, timeoutMs, clientGone: client.gone })

  return graphqlSocket({
    server: options.server,
    path: options.path,
    log,
    messageBytes: options.messageBytes,
    bytesBeforeAdmission,
    hooks: {
      connectionInitWaitTimeout: options.initTimeoutMs ?? 10_000,
      onConnect: async ({ connectionParams, extra }) => {
        const { socket, request } = extra
        const gone = new AbortController()
        socket.once('close', () => gone.abort())
        try {
          const principal = await authentication.principalOf(shown(connectionParams ?? {}), gone.signal)
          const requestId = requestIdOf(request.headers['x-request-id'])
          extra.admit()
          clients.set(extra, { principal, requestId, address: clientAddress(request, options.trustedProxies ?? 0), gone: gone.signal })
          closeWhenOver(socket, principal)
          return true
        } catch (error) {
          const { extensions } = graphqlErrorOf(error)
          if (extensions.code === 'UNAUTHENTICATED') closeSoon(socket, CloseCode.Unauthorized, 'Unauthorized')
          else closeSoon(socket, tryAgainLater, 'Try again later')
          return false
        }
      },
      onSubscribe: ({ extra, subscriptions }, id, { query, operationName, variables }) => {
        const client = clients.get(extra)
        const masking = { requestId: client?.requestId ?? 'none', log }
        try {
          if (client === undefined) throw new GraphQLError('Unauthorized', { extensions: { code: 'UNAUTHENTICATED' } })
          if (Object.keys(subscriptions).length > operationsPerClient)
            throw new GraphQLError(`More than ${operationsPerClient} operations at once`, { extensions: { code: 'LIMIT_EXCEEDED' } })
          const operation = operations.admit(query, operationName ?? undefined)
          const execution = {
            schema: executor.schema,
            document: operation.document,
            operationName: operation.name ?? null,
            variableValues: variables ?? {},
          }
          asked.set(execution, { operation, client, id, socket: extra.socket })
          return execution
        } catch (error) {
          const errors = error instanceof InvalidOperation ? error.errors : [graphqlErrorOf(error)]
          return errors.map((each) => maskedError(each, masking))
        }
      },
      execute: async (execution) => {
        const { operation, client } = found(asked.get(execution))
        using context = contextOf(client, requestTimeoutMs)
        return await executor.execute(operation, execution.variableValues ?? {}, context)
      },
      subscribe: async (execution) => {
        const { operation, client, id, socket } = found(asked.get(execution))
        const left = linkedController(client.gone)
        const leave = (): void => left.abort()
        const subscriber = socketDelivery(socket, id, delivery, leave, () => closeSoon(socket, tryAgainLater, 'Slow reader'))
        const refusal = await shared.join(operation, execution.variableValues ?? {}, { ...client, log }, left.signal, subscriber)
        if (refusal !== undefined) leave()
        return refusal ?? subscriber.stream
      },
    },
  })
}

/** The credentials in an init payload; header names are read whatever their case. */
function shown(parameters: Readonly<Record<string, unknown>>): Credentials {
  const named = (wanted: string): string | undefined => {
    const found = Object.entries(parameters).find(([name]) => name.toLowerCase() === wanted)
    // A key that is no string is a wrong key, not an absent one.
    return found === undefined ? undefined : typeof found[1] === 'string' ? found[1] : ''
  }
  return { apiKey: named('x-service-api-key'), authorization: named('authorization'), named }
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('graphql-ws passed another operation than it was given')
  return value
}
