import { ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import { alwaysOpenGate, type LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { ApolloGatewayFactory } from '../protocols/graphql-http/apollo-server.ts'
import '../supergraph/apollo-opt-out.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApolloServerPlugin } from '@apollo/server'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Authentication, credentialsOf, isIdentified } from '../../foundation/http/authentication.ts'
import { Backlog } from '../../foundation/http/backlog.ts'
import { compressAnswers } from '../../foundation/http/compressed-answers.ts'
import { allowOrigins, mayConnect } from '../../foundation/http/cors.ts'
import { faultStatus } from '../../foundation/http/fault-status.ts'
import { type ListenerLimits, listener } from '../../foundation/http/listener.ts'
import { listenerUrl } from '../../foundation/http/listener-url.ts'
import { Intake } from '../../foundation/http/read-body.ts'
import { lingerAfterRefusal, problemOfHost, refuseConnection, refuseExpectations } from '../../foundation/http/refused-connection.ts'
import { requestIdOf } from '../../foundation/http/request-context.ts'
import type { RequestTelemetry } from '../../foundation/http/request-telemetry.ts'
import type { ServerCertificate } from '../../foundation/http/server-certificate.ts'
import { cutSlowReaders } from '../../foundation/http/slow-readers.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { defaultLimits, type OperationLimits } from '../admission/operation-limits.ts'
import { anonymousRequest } from '../admission/request-limits.ts'
import type { Executor } from '../executor/executor.ts'
import { type ClientGraph, clientGraph } from '../pipeline/client-graph.ts'
import { type PersistedQueryStore, persistedOperations, type RegisteredOperations } from '../pipeline/persisted-operations.ts'
import type { MayReadPlans } from '../pipeline/plan-disclosure.ts'
import { type RateRule, rateLimit } from '../pipeline/rate-limit.ts'
import { sharedSubscriptions } from '../pipeline/subscriptions/shared-subscriptions.ts'
import type { GatewayTelemetry } from '../pipeline/telemetry/gateway-telemetry.ts'
import { type Apollo, createApollo } from '../protocols/graphql-http/apollo-server.ts'
import { answerErrors, errorAnswer, sendError, tooLarge, unreadable } from '../protocols/graphql-http/error-answers.ts'
import { acceptBodies } from '../protocols/graphql-http/graphql-body.ts'
import { graphqlHandler } from '../protocols/graphql-http/graphql-handler.ts'
import { graphqlRoute, schemaRoute } from '../protocols/graphql-http/graphql-routes.ts'
import { streamAnswers } from '../protocols/graphql-http/subscription-answer.ts'
import { asyncApiRoute } from '../protocols/graphql-ws/asyncapi.ts'
import { type GraphqlSocket, maxMessageBytes } from '../protocols/graphql-ws/graphql-socket.ts'
import { subscriptionServer } from '../protocols/graphql-ws/subscription-server.ts'
import { gatewayHealth, type Health, healthRoutes } from '../protocols/health.ts'

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
  readonly gate?: Pick<LoadGate, 'forProtocol'>
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
  readonly maxListLength?: number
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
  readonly requests?: RequestTelemetry | undefined
  /** which callers may get query plans (default: none) */
  readonly mayReadPlans?: MayReadPlans
  /** returns why this process must not get requests, for /health/ready (default: nothing) */
  readonly readinessProblem?: () => string | undefined
  /** creates the gateway of Apollo Server (default: one without ApolloGateway) */
  readonly gatewayOver?: ApolloGatewayFactory | undefined
  /** plugins of Apollo Server; with any, every complete response passes Apollo Server (default: none) */
  readonly plugins?: readonly ApolloServerPlugin<RequestContext>[] | undefined
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
  const { authentication, log, host, port, requestTimeoutMs, bodyBytes, graceMs = 10_000, trustedProxies = 0 } = options
  const anonymousBytes = Math.min(bodyBytes, options.anonymousBodyBytes ?? anonymousRequest.bytes)
  let ready = false
  const server = gatewayListener(options, () => ready)
  const served = servedGraph(options)
  const { graph, apollo } = served
  const persisted = persistedOperations(options.persistedQueries, log, options.registeredOperations)
  const rate = rateLimit(options.rateRule, log)
  const shared = { graph, persisted, rate, authentication, log, requestTimeoutMs, trustedProxies }
  const gate = options.gate?.forProtocol('graphql') ?? alwaysOpenGate
  const subscriptions = sharedSubscriptions(graph().executor, log, options.telemetry, options.subscribersPerClient)
  const backlog = new Backlog()
  let socket: GraphqlSocket | undefined

  const releaseBody = acceptBodies(server, {
    maxBytes: bodyBytes,
    anonymousBytes,
    intake: options.intake ?? new Intake(bodiesBytes),
    stallMs: requestTimeoutMs,
    isIdentified: async ({ raw }) =>
      isIdentified(await authentication.principalOf(credentialsOf(raw), AbortSignal.timeout(requestTimeoutMs))),
  })
  const streams = streamAnswers(subscriptions, backlog, subscriberSlots(options))
  const direct = (options.plugins ?? []).length === 0
  const handler = graphqlHandler({ ...shared, apollo, gate, streams, releaseBody, direct })
  answerErrors(server, log)
  graphqlRoute(server, { handler, gate, explorer: options.explorer })
  asyncApiRoute(server)
  if (options.introspection) schemaRoute(server, () => graph().executor.schema)
  healthRoutes(server, served.health, () => ready, options.readinessProblem)
  options.mountPages?.(server)
  // after the hooks that read a response
  compressAnswers(server)

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
      const messageBytes = Math.min(bodyBytes, maxMessageBytes)
      socket = subscriptionServer({
        server: server.server,
        path: '/graphql',
        ...shared,
        subscriptions,
        backlog,
        gate: options.gate?.forProtocol('graphql-ws') ?? alwaysOpenGate,
        messageBytes,
        anonymousMessageBytes: Math.min(messageBytes, anonymousBytes),
        allows: (request) => mayConnect(request, options.corsOrigins, options.publicUrl),
        slots: subscriberSlots(options),
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
      served.replace(next)
      await subscriptions.moveTo(graph().executor)
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

/** Creates the listener: request ids, CORS, and refusals in the GraphQL format of what is not an HTTP request. */
function gatewayListener(options: GatewayServerOptions, isReady: () => boolean): FastifyInstance {
  const { bodyBytes } = options
  const server = listener(
    options.certificate,
    isReady,
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
  options.requests?.observe(server, 'gateway')
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    const problem = problemOfHost(request.raw)
    if (problem !== undefined) return reply.code(400).send(errorAnswer(problem, 'BAD_REQUEST', request.id))
  })
  refuseExpectations(server, bodyOfRefusal)
  allowOrigins(server, options.corsOrigins)
  refuseLargeBodies(server, bodyBytes)
  return server
}

/** The graph that clients use, which a reload replaces. */
interface ServedGraph {
  readonly graph: () => ClientGraph
  readonly apollo: Apollo
  /** queries health below the pipeline, so that it is not counted */
  readonly health: () => Promise<Health>
  /** @throws {Error} if its schema cannot be served; nothing has changed then */
  replace(executor: Executor): void
}

function servedGraph(options: GatewayServerOptions): ServedGraph {
  const {
    introspection,
    listLengths,
    maxListLength,
    telemetry,
    mayReadPlans,
    registeredOperations: registered,
    log,
    gatewayOver,
    plugins = [],
  } = options
  const rules = { limits: options.limits ?? defaultLimits, introspection, listLengths, maxListLength, telemetry, registered, mayReadPlans }
  const healthOf = (executor: Executor) => options.health ?? gatewayHealth(executor, options.version, log)
  let graph = clientGraph(options.executor, rules)
  let health = healthOf(options.executor)
  const apollo = createApollo({ executor: () => graph.executor, introspection, log, gatewayOver, plugins })
  return {
    graph: () => graph,
    apollo,
    health: () => health(),
    replace(executor) {
      const previous = graph
      graph = clientGraph(executor, rules)
      try {
        apollo.reload()
      } catch (error) {
        graph = previous
        apollo.reload()
        throw error
      }
      health = healthOf(executor)
    },
  }
}

/** Returns the limits of one kind of subscriber: WebSockets, or streams over HTTP. */
function subscriberSlots({
  maxSubscribers: total,
  subscribersPerClient: perClient,
  processSlots: parent,
}: GatewayServerOptions): ClientSlots {
  return new ClientSlots({ ...(total !== undefined && { total }), ...(perClient !== undefined && { perClient }), parent })
}

const bodyOfRefusal = (_: number, reason: string, requestId?: string): string =>
  JSON.stringify(errorAnswer(reason, 'BAD_REQUEST', requestId))

/** Refuses a body by its announced length before reading it. */
function refuseLargeBodies(server: FastifyInstance, bodyBytes: number): void {
  server.addHook('onRequest', async (request, reply) => {
    if (Number(request.headers['content-length'] ?? 0) > bodyBytes)
      return sendError(request, reply, faultStatus.TOO_LARGE, tooLarge(request.id))
  })
  lingerAfterRefusal(server)
  cutSlowReaders(server)
}
