import fastify, { type FastifyError } from 'fastify'
import { type ExecutionResult, GraphQLError, type GraphQLSchema, parse } from 'graphql'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { Fault } from '../../subgraphs/foundation/fault.ts'
import type { RequestContext } from '../../subgraphs/foundation/graphql/request-context.ts'
import type { OpenFile } from '../../subgraphs/foundation/graphql/subgraph.ts'
import type { Part } from '../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import { graphqlErrorOf, maskedError } from '../errors.ts'
import { type GraphqlSocket, type GraphqlSocketOptions, graphqlSocket, largestMessageBytes } from '../graphql-ws/graphql-socket.ts'
import { faultStatus } from '../http/fault-status.ts'
import { listenerUrl } from '../http/listener-url.ts'
import { abortWhenGone, requestContext } from '../request-context.ts'
import { endableStream, linkedController } from '../subscriptions/endable-stream.ts'
import { inProcessSource } from './in-process-source.ts'
import { type PrincipalTokens, principalHeader } from './principal-token.ts'

export interface SubgraphServerOptions {
  readonly subgraph: { readonly name: string; readonly schema: GraphQLSchema; readonly openFile?: OpenFile }
  readonly tokens: PrincipalTokens
  readonly log: Log
  readonly host: string
  /** 0: any free one */
  readonly port: number
  readonly bodyBytes: number
  readonly requestTimeoutMs: number
}

/** A subgraph on a port of its own. */
export interface SubgraphServer extends Part {
  /** where GraphQL answers, once started: http://…/graphql */
  readonly url: string
}

const Request = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
})
const graceMs = 10_000
const longestFileId = 1000

/**
 * Serves a subgraph to its gateway: POST /graphql, graphql-transport-ws on the same path, GET /files/{id} where it has
 * files, GET /health/live. Every operation and every request for a file must carry
 * a principal token; operations come from the gateway's query planner and are executed without validation.
 */
export function createSubgraphServer(options: SubgraphServerOptions): SubgraphServer {
  const { subgraph, tokens, log, host, port, bodyBytes, requestTimeoutMs } = options
  const source = inProcessSource(subgraph)
  const server = fastify({ bodyLimit: bodyBytes, forceCloseConnections: 'idle', routerOptions: { maxParamLength: longestFileId } })
  let socket: GraphqlSocket | undefined

  server.get('/health/live', async () => ({ status: 'ok' }))
  server.setErrorHandler<FastifyError | Fault>((error, request, reply) => {
    const status = error instanceof Fault ? statusOf(error) : (error.statusCode ?? 500)
    if (status >= 500) log.error({ requestId: request.id }, 'a request to the subgraph failed')
    return reply.code(status).send({ errors: [{ message: error instanceof Fault ? error.message : 'Bad request' }] })
  })
  server.post('/graphql', async (request, reply) => {
    const token = request.headers[principalHeader]
    const { principal, requestId, address } = tokens.verify(typeof token === 'string' ? token : undefined, subgraph.name)
    const operation = Request.safeParse(request.body)
    if (!operation.success) throw new Fault('MALFORMED', 'The body is no GraphQL request')
    const { query, variables, operationName } = operation.data
    const gone = new AbortController()
    abortWhenGone(reply.raw, gone)
    using context = requestContext({ principal, requestId, address, log, timeoutMs: requestTimeoutMs, clientGone: gone.signal })
    return masked(await source.fetch({ query, operationName: operationName ?? undefined, variables: variables ?? {}, context }), context)
  })

  const { openFile } = subgraph
  if (openFile !== undefined)
    server.get<{ Params: { id: string } }>('/files/:id', async (request, reply) => {
      const token = request.headers[principalHeader]
      const { principal, requestId, address } = tokens.verify(typeof token === 'string' ? token : undefined, subgraph.name)
      const gone = new AbortController()
      abortWhenGone(reply.raw, gone)
      using context = requestContext({ principal, requestId, address, log, timeoutMs: requestTimeoutMs, clientGone: gone.signal })
      const bytes = await openFile(request.params.id, context)
      return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    })

  const asked = new WeakMap<object, { readonly query: string; readonly context: RequestContext; readonly end: AbortController }>()
  const hooks: GraphqlSocketOptions['hooks'] = {
    onSubscribe: (connection, _id, payload) => {
      try {
        const token = payload.extensions?.principal
        const { principal, requestId, address } = tokens.verify(typeof token === 'string' ? token : undefined, subgraph.name)
        const end = linkedController(goneWith(connection.extra.socket))
        const context = requestContext({ principal, requestId, address, log, timeoutMs: Number.POSITIVE_INFINITY, clientGone: end.signal })
        const operation = {
          schema: subgraph.schema,
          document: parse(payload.query, { noLocation: true }),
          operationName: payload.operationName ?? null,
          variableValues: payload.variables ?? {},
        }
        asked.set(operation, { query: payload.query, context, end })
        return operation
      } catch (error) {
        return [maskedError(graphqlErrorOf(error), { requestId: 'none', log })]
      }
    },
    execute: () => ({ errors: [new GraphQLError('Only subscriptions are answered over WebSocket')] }),
    subscribe: async (operation) => {
      const found = asked.get(operation)
      if (found === undefined) throw new Error('graphql-ws passed another operation than it was given')
      const { query, context, end } = found
      const { variableValues, operationName } = operation
      const events = await source.stream({ query, operationName: operationName ?? undefined, variables: variableValues ?? {}, context })
      if (!(Symbol.asyncIterator in events)) {
        end.abort()
        return masked(events, context)
      }
      return endableStream(
        events,
        end,
        (event) => masked(event, context),
        (error) => masked({ errors: [graphqlErrorOf(error)] }, context),
      )
    },
  }

  return {
    name: `subgraph ${subgraph.name}`,
    get url() {
      return `${listenerUrl(server.server, host)}/graphql`
    },
    async start() {
      await server.listen({ host, port })
      // The gateway's message holds a client's in other words and with a token, and its connection is shared by all clients.
      socket = graphqlSocket({ server: server.server, path: '/graphql', log, messageBytes: 8 * largestMessageBytes, hooks })
    },
    async stop() {
      await socket?.stop()
      const force = setTimeout(() => server.server.closeAllConnections(), graceMs)
      await server.close()
      clearTimeout(force)
    },
  }
}

/** The gateway asks nothing that it has no right to: a file that its reader may not have is, to that reader, not there. */
const statusOf = ({ code }: Fault): number => faultStatus[code === 'FORBIDDEN' ? 'NOT_FOUND' : code]

const ends = new WeakMap<WebSocket, AbortSignal>()

/** One signal for a socket, whatever the number of its subscriptions. */
function goneWith(socket: WebSocket): AbortSignal {
  const known = ends.get(socket)
  if (known !== undefined) return known
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  ends.set(socket, gone.signal)
  return gone.signal
}

/** Every error as the gateway may know it; the whole of it is in this process's log. */
function masked(result: ExecutionResult, context: RequestContext): ExecutionResult {
  return result.errors === undefined ? result : { ...result, errors: result.errors.map((error) => maskedError(error, context)) }
}
