import { GraphQLError, parse } from 'graphql'
import type { WebSocket } from 'ws'
import { endableStream, linkedController } from '../../../foundation/concurrency/endable-stream.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { identifiedRequest } from '../../admission/request-limits.ts'
import { failedResult, maskedResult } from '../../errors/masked-result.ts'
import type { GraphqlSocketOptions } from '../graphql-ws/graphql-socket.ts'
import type { ServedSubgraph } from './subgraph-routes.ts'

/** A subscription between the hooks of graphql-ws. */
interface AcceptedSubscription {
  readonly query: string
  readonly context: RequestContext
  readonly end: AbortController
}

/**
 * The subscriptions of the gateway, each with a principal token in its extensions; nothing else is answered over WebSocket.
 * @param messageBytes - largest message of a connection that has sent a valid token
 */
export function subscriptionHooks({ subgraph, source, tokens, log }: ServedSubgraph, messageBytes: number): GraphqlSocketOptions['hooks'] {
  const verified = new WeakSet<WebSocket>()
  const accepted = new WeakMap<object, AcceptedSubscription>()
  const socketClosed = disconnectSignals()
  return {
    // nothing of it is used, and graphql-ws holds it for as long as the connection is open
    onConnect: (context) => Reflect.deleteProperty(context, 'connectionParams'),
    onSubscribe: ({ extra }, _id, { query, variables, operationName, extensions }) => {
      try {
        const claims = tokens.verify(extensions?.principal, subgraph.name)
        if (!verified.has(extra.socket)) extra.admit({ ...identifiedRequest, bytes: messageBytes }, claims.requestId)
        verified.add(extra.socket)
        const end = linkedController(socketClosed(extra.socket))
        const context = requestContext({ ...claims, log, timeoutMs: Number.POSITIVE_INFINITY, disconnected: end.signal })
        const operation = {
          schema: subgraph.schema,
          document: parse(query, { noLocation: true }),
          operationName: operationName ?? null,
          variableValues: variables ?? {},
        }
        accepted.set(operation, { query, context, end })
        return operation
      } catch (error) {
        return failedResult(error, { requestId: 'none', log }).errors
      }
    },
    execute: () => ({ errors: [new GraphQLError('Only subscriptions are supported over WebSocket')] }),
    subscribe: async (operation) => {
      const subscription = accepted.get(operation)
      if (subscription === undefined) throw new Error('graphql-ws passed an operation that was not admitted')
      const { query, context, end } = subscription
      const { variableValues, operationName } = operation
      const events = await source.stream({ query, operationName: operationName ?? undefined, variables: variableValues ?? {}, context })
      if (!(Symbol.asyncIterator in events)) {
        end.abort()
        return maskedResult(events, context)
      }
      return endableStream(
        events,
        end,
        (event) => maskedResult(event, context),
        (error) => failedResult(error, context),
      )
    },
  }
}

/** Returns one signal per socket, whatever the number of its subscriptions. */
function disconnectSignals(): (socket: WebSocket) => AbortSignal {
  const signals = new WeakMap<WebSocket, AbortSignal>()
  return (socket) => {
    const cached = signals.get(socket)
    if (cached !== undefined) return cached
    const disconnected = new AbortController()
    socket.once('close', () => disconnected.abort())
    signals.set(socket, disconnected.signal)
    return disconnected.signal
  }
}
