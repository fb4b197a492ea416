import { ClientSlots } from '../foundation/concurrency/client-slots.ts'
import { type LoadGate, openDoor } from '../foundation/concurrency/load-gate.ts'
import './telemetry/apollo-opt-out.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Part } from '../foundation/lifecycle.ts'
import type { Log } from '../foundation/log.ts'
import { clientGraph } from './admission/client-graph.ts'
import { defaultLimits, type OperationLimits } from './admission/operation-limits.ts'
import { type PersistedQueryStore, persistedOperations, type RegisteredOperations } from './admission/persisted-operations.ts'
import { type RateRule, rateLimit } from './admission/rate-limit.ts'
import { anonymousRequest } from './admission/request-limits.ts'
import type { Executor } from './executor.ts'
import { streamAnswers } from './graphql-http/answer-stream.ts'
import { createApollo } from './graphql-http/apollo-server.ts'
import { answerErrors, errorAnswer, tooLarge, unreadable } from './graphql-http/error-answers.ts'
import { acceptBodies } from './graphql-http/graphql-body.ts'
import { graphqlHandler } from './graphql-http/graphql-handler.ts'
import { leadingTo } from './graphql-http/page-request.ts'
import { schemaRoute } from './graphql-http/schema-route.ts'
import { asyncApiRoute } from './graphql-ws/asyncapi.ts'
import { type GraphqlSocket, largestMessageBytes } from './graphql-ws/graphql-socket.ts'
import { subscriptionServer } from './graphql-ws/subscription-server.ts'
import { type Authentication, credentialsOf, isIdentified } from './http/authentication.ts'
import { Backlog } from './http/backlog.ts'
import { allowOrigins, mayConnect } from './http/cors.ts'
import { faultStatus } from './http/fault-status.ts'
import { gatewayHealth, type Health, healthRoutes } from './http/health.ts'
import { type ListenerLimits, listener } from './http/listener.ts'
import { listenerUrl } from './http/listener-url.ts'
import { Intake } from './http/read-body.ts'
import { lacksHost, lingerAfterRefusal, refuseConnection, refuseExpectations } from './http/refused-connection.ts'
import type { RequestNotes } from './http/request-notes.ts'
import type { ServerCertificate } from './http/server-certificate.ts'
import { cutSlowReaders } from './http/slow-readers.ts'
import { requestIdOf } from './request-context.ts'
import { sharedSubscriptions } from './subscriptions/shared-subscriptions.ts'
import type { GatewayTelemetry } from './telemetry/gateway-telemetry.ts'
import type { MayReadPlans } from './telemetry/told-plan.ts'

export interface GatewayServerOptions {
  readonly executor: Executor
  readonly authentication: Authentication
  readonly persistedQueries: PersistedQueryStore
  /** operations of a manifest, which clients may name by their ids (default: none) */
  readonly registeredOperations?: RegisteredOperations | undefined
  /** how often one caller may ask (default: any number of times) */
  readonly rateRule?: RateRule | undefined
  readonly log: Log
  readonly host: string
  /** 0: any free one; undefined: it listens nowhere, and answers what others hand to {@link GatewayServer.handle} */
  readonly port: number | undefined
  readonly corsOrigins: readonly string[] | 'any'
  /** whether clients may read the schema */
  readonly introspection: boolean
  /** largest body of a caller with a verified key or token */
  readonly bodyBytes: number
  /** largest body of any other caller (default: 256 KiB, at most `bodyBytes`) */
  readonly anonymousBodyBytes?: number
  /** of all listeners of this process (default: one for this listener) */
  readonly intake?: Intake
  /** asked before anything is begun; everything may begin when absent */
  readonly gate?: Pick<LoadGate, 'door'>
  readonly requestTimeoutMs: number
  /** how many proxies of ours stand before this process; none when absent */
  readonly trustedProxies?: number
  /** connections of graphql-ws at once, and as many streams in HTTP responses; any when absent */
  readonly maxSubscribers?: number
  /** of each kind, of one address (IPv6: /64) and of one caller; any when absent */
  readonly subscribersPerClient?: number
  /** sockets and streams of the whole process, which those of this gateway count among */
  readonly processSlots?: ClientSlots | undefined
  /** limits of the listener that are not the usual ones */
  readonly listening?: Partial<ListenerLimits>
  /** of the platform, for /health */
  readonly version: string
  readonly limits?: OperationLimits
  /** what lists that take no length are taken to hold, by `Type.field` (default: ten) */
  readonly listLengths?: Readonly<Record<string, number>>
  /** the most that a list is taken to hold, whatever is asked for: the graph itself refuses those who ask for more (default: any number) */
  readonly longestList?: number
  /** what /health answers (default: what the `<component>Health` fields of the graph say) */
  readonly health?: () => Promise<Health>
  /** where clients reach this gateway, when a proxy stands before it */
  readonly publicUrl?: string | undefined
  /** path of a page on which people write operations: a browser that opens /graphql is led there */
  readonly explorer?: string
  /** adds what a browser asks for beside GraphQL: a page at /, say */
  readonly mountPages?: (server: FastifyInstance) => void
  /** how long a drain waits for what is being answered */
  readonly graceMs?: number
  /** notes what is executed and delivered (default: nobody does) */
  readonly telemetry?: GatewayTelemetry | undefined
  /** the listener speaks HTTPS with it (default: HTTP) */
  readonly certificate?: ServerCertificate | undefined
  /** notes requests and their answers (default: nobody does) */
  readonly requests?: RequestNotes | undefined
  /** who may have the plan of an operation in its answer (default: nobody) */
  readonly mayReadPlans?: MayReadPlans
}

/** Bodies in memory at once, where no intake is shared. */
const bodiesBytes = 256 * 1024 * 1024

/** The gateway as clients see it. */
export interface GatewayServer extends Part {
  /** http://host:port, once started */
  readonly url: string
  /** answers what has come over another listener, once started; over WebSocket this gateway answers on its own alone */
  handle(request: IncomingMessage, response: ServerResponse): void
  /**
   * Serves another supergraph from now on. What is being answered ends on the one before; subscriptions go on where the new one answers
   * them in the same way from the same sources, and end with SUBSCRIPTION_SCHEMA_RELOAD elsewhere. Resolves when all have been looked at.
   * @throws {Error} when its schema cannot be served: then nothing has changed
   */
  reload(executor: Executor): Promise<void>
}

/**
 * GraphQL over HTTP and over WebSocket on /graphql, its schema on /schema.graphql, /health, /health/live, /health/ready, and the pages that are mounted beside them.
 * Stopping it drains: it is no longer ready, subscribers are told to go (1001), and what is being answered has `graceMs` to end.
 */
export function createGatewayServer(options: GatewayServerOptions): GatewayServer {
  const { executor, authentication, log, host, port, requestTimeoutMs, bodyBytes, graceMs = 10_000, trustedProxies = 0 } = options
  const anonymousBytes = Math.min(bodyBytes, options.anonymousBodyBytes ?? anonymousRequest.bytes)
  let ready = false
  const server = listener(
    options.certificate,
    () => ready,
    {
      bodyLimit: bodyBytes,
      forceCloseConnections: 'idle',
      return503OnClosing: false,
      genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
      // an address that cannot be decoded, before any route is looked for
      frameworkErrors: (_, request, reply: FastifyReply) =>
        void reply.code(400).header('x-request-id', request.id).send(unreadable(request.id)),
      clientErrorHandler: refuseConnection(bodyOfRefusal),
      // the check of the Host header is ours: Node answers without a body
      http: { requireHostHeader: false },
    },
    options.listening,
  )
  const limits = options.limits ?? defaultLimits
  const { introspection, listLengths, longestList, telemetry, mayReadPlans, registeredOperations: registered } = options
  const graphOf = (from: Executor) =>
    clientGraph(from, { limits, introspection, listLengths, longestList, telemetry, registered, mayReadPlans })
  let graph = graphOf(executor)
  const apollo = createApollo(() => graph.executor, introspection, log)
  const persisted = persistedOperations(options.persistedQueries, log, options.registeredOperations)
  const rate = rateLimit(options.rateRule, log)
  const shared = { graph: () => graph, persisted, rate, authentication, log, requestTimeoutMs, trustedProxies }
  const door = options.gate?.door('graphql') ?? openDoor
  const subscriptions = sharedSubscriptions(graph.executor, log, telemetry)
  const backlog = new Backlog()
  const { maxSubscribers: total, subscribersPerClient: perClient, processSlots: parent } = options
  const slotsOf = (): ClientSlots =>
    new ClientSlots({ ...(total !== undefined && { total }), ...(perClient !== undefined && { perClient }), parent })
  const healthOf = (from: Executor) => options.health ?? gatewayHealth(from, options.version, log)
  let health = healthOf(executor)
  let socket: GraphqlSocket | undefined

  options.requests?.observe(server, 'gateway')
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (lacksHost(request.raw)) return reply.code(400).send(errorAnswer('The Host header is missing', 'BAD_REQUEST', request.id))
  })
  refuseExpectations(server, bodyOfRefusal)
  allowOrigins(server, options.corsOrigins)
  refuseLargeBodies(server, bodyBytes)
  const releaseBody = acceptBodies(server, {
    maxBytes: bodyBytes,
    anonymousBytes,
    intake: options.intake ?? new Intake(bodiesBytes),
    stallMs: requestTimeoutMs,
    isIdentified: async ({ raw }) =>
      isIdentified(await authentication.principalOf(credentialsOf(raw), AbortSignal.timeout(requestTimeoutMs))),
  })
  const streams = streamAnswers(subscriptions, backlog, slotsOf())
  const handler = graphqlHandler({ ...shared, apollo, door, streams, releaseBody })
  answerErrors(server, log)
  // before the body is read
  const onRequest = async (): Promise<void> => door.admit('read')
  server.route({ method: ['GET', 'POST'], url: '/graphql', onRequest, handler: leadingTo(options.explorer, handler) })
  asyncApiRoute(server)
  if (introspection) schemaRoute(server, () => graph.executor.schema)
  // Our own health questions are not counted.
  healthRoutes(
    server,
    () => health(),
    () => ready,
  )
  options.mountPages?.(server)

  return {
    name: 'gateway',
    get url() {
      return listenerUrl(server.server, host)
    },
    async start() {
      await apollo.server.start()
      if (port === undefined) {
        await server.ready()
        ready = true
        return
      }
      await server.listen({ host, port })
      const messageBytes = Math.min(bodyBytes, largestMessageBytes)
      socket = subscriptionServer({
        server: server.server,
        path: '/graphql',
        ...shared,
        subscriptions,
        backlog,
        door: options.gate?.door('graphql-ws') ?? openDoor,
        messageBytes,
        anonymousMessageBytes: Math.min(messageBytes, anonymousBytes),
        allows: (request) => mayConnect(request, options.corsOrigins, options.publicUrl),
        slots: slotsOf(),
        graceMs,
      })
      ready = true
    },
    handle(request, response) {
      if (ready) return server.routing(request, response)
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' })
      response.end(JSON.stringify(errorAnswer('The gateway does not answer now', 'ENGINE_UNAVAILABLE')))
    },
    async reload(next) {
      const before = graph
      graph = graphOf(next)
      try {
        apollo.reload()
      } catch (error) {
        graph = before
        apollo.reload()
        throw error
      }
      health = healthOf(next)
      await subscriptions.moveTo(graph.executor)
    },
    async stop() {
      ready = false
      const force = setTimeout(() => server.server.closeAllConnections(), graceMs)
      subscriptions.stop()
      await Promise.all([socket?.stop(), server.close()])
      clearTimeout(force)
      await apollo.server.stop().catch(() => undefined)
    },
  }
}

const bodyOfRefusal = (_: number, reason: string, requestId?: string): string =>
  JSON.stringify(errorAnswer(reason, 'BAD_REQUEST', requestId))

/** Refuses a body by its announced length before any of it is read. */
function refuseLargeBodies(server: FastifyInstance, bodyBytes: number): void {
  server.addHook('onRequest', async ({ id, headers }, reply) => {
    if (Number(headers['content-length'] ?? 0) > bodyBytes) return reply.code(faultStatus.TOO_LARGE).send(tooLarge(id))
  })
  lingerAfterRefusal(server)
  cutSlowReaders(server)
}
