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
  /** manifest of operations that clients may send by id (default: none) */
  readonly registeredOperations?: RegisteredOperations | undefined
  /** rate limit per caller (default: unlimited) */
  readonly rateRule?: RateRule | undefined
  readonly log: Log
  readonly host: string
  /** 0: any free port; undefined: no port, only requests passed to {@link GatewayServer.handle} */
  readonly port: number | undefined
  readonly corsOrigins: readonly string[] | 'any'
  /** whether clients may introspect the schema */
  readonly introspection: boolean
  /** maximum body of a caller with a verified key or token */
  readonly bodyBytes: number
  /** maximum body of other callers (default: 256 KiB, at most `bodyBytes`) */
  readonly anonymousBodyBytes?: number
  /** shared by all listeners of this process (default: one for this listener) */
  readonly intake?: Intake
  /** checked before any work; absent: everything is admitted */
  readonly gate?: Pick<LoadGate, 'door'>
  readonly requestTimeoutMs: number
  /** number of trusted proxies in front of this process; default 0 */
  readonly trustedProxies?: number
  /** maximum graphql-ws connections, and separately HTTP streams; default: unlimited */
  readonly maxSubscribers?: number
  /** maximum of each kind per address (IPv6: /64) and per caller; default: unlimited */
  readonly subscribersPerClient?: number
  /** limit of sockets and streams of the whole process */
  readonly processSlots?: ClientSlots | undefined
  /** limits that differ from the defaults */
  readonly listening?: Partial<ListenerLimits>
  /** version of the platform, for /health */
  readonly version: string
  readonly limits?: OperationLimits
  /** assumed lengths of lists without a size argument, by `Type.field` (default: ten) */
  readonly listLengths?: Readonly<Record<string, number>>
  /** maximum assumed length of a list: the graph refuses larger sizes (default: unlimited) */
  readonly longestList?: number
  /** returns the response of /health (default: from the `<component>Health` fields of the graph) */
  readonly health?: () => Promise<Health>
  /** public URL of this gateway behind a proxy */
  readonly publicUrl?: string | undefined
  /** path of the page for writing operations, to which browsers that open /graphql are redirected */
  readonly explorer?: string
  /** adds further routes for browsers, such as a page at / */
  readonly mountPages?: (server: FastifyInstance) => void
  /** time limit of a drain, ms */
  readonly graceMs?: number
  /** records operations and deliveries (default: off) */
  readonly telemetry?: GatewayTelemetry | undefined
  /** makes the listener use HTTPS (default: HTTP) */
  readonly certificate?: ServerCertificate | undefined
  /** records requests and responses (default: off) */
  readonly requests?: RequestNotes | undefined
  /** which callers may get query plans (default: none) */
  readonly mayReadPlans?: MayReadPlans
}

/** Limit of concurrent bodies in memory without a shared intake. */
const bodiesBytes = 256 * 1024 * 1024

/** The GraphQL gateway for clients. */
export interface GatewayServer extends Part {
  /** http://host:port, once started */
  readonly url: string
  /** handles a request of another listener, once started; WebSocket is available only on its own port */
  handle(request: IncomingMessage, response: ServerResponse): void
  /**
   * Switches to another supergraph. Requests in progress finish on the previous one; subscriptions continue if the new one resolves them equally from
   * the same sources, otherwise they end with SUBSCRIPTION_SCHEMA_RELOAD. Resolves when all are checked. @throws {Error} if its schema cannot be
   * served; nothing has changed then
   */
  reload(executor: Executor): Promise<void>
}

/**
 * Serves GraphQL over HTTP and WebSocket on /graphql, the schema on /schema.graphql, /health, /health/live, /health/ready, and mounted pages. A stop
 * drains: it becomes not ready, closes subscribers with 1001, and gives requests in progress `graceMs`.
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
      // an undecodable URL, before routing
      frameworkErrors: (_, request, reply: FastifyReply) =>
        void reply.code(400).header('x-request-id', request.id).send(unreadable(request.id)),
      clientErrorHandler: refuseConnection(bodyOfRefusal),
      // Host is checked here: Node would answer without a body
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
  const subscriptions = sharedSubscriptions(graph.executor, log, telemetry, options.subscribersPerClient)
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
  // internal health queries are not counted
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
      response.end(JSON.stringify(errorAnswer('The gateway is not available', 'ENGINE_UNAVAILABLE')))
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

/** Refuses a body by its announced length before reading it. */
function refuseLargeBodies(server: FastifyInstance, bodyBytes: number): void {
  server.addHook('onRequest', async ({ id, headers }, reply) => {
    if (Number(headers['content-length'] ?? 0) > bodyBytes) return reply.code(faultStatus.TOO_LARGE).send(tooLarge(id))
  })
  lingerAfterRefusal(server)
  cutSlowReaders(server)
}
