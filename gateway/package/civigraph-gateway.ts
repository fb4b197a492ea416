import { requestContext } from '../../foundation/http/request-context.ts'
import { planCache } from '../planning/plan-cache.ts'
import '../supergraph/apollo-opt-out.ts'
import { randomUUID } from 'node:crypto'
import {
  ApolloGateway,
  type GatewayConfig,
  type GraphQLDataSource,
  type SupergraphManager,
  type SupergraphSdlHook,
  UplinkSupergraphManager,
} from '@apollo/gateway'
import type { ApolloServerPlugin } from '@apollo/server'
import { parse } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Log } from '../../foundation/log.ts'
import { anonymous, type Principal } from '../../foundation/principal.ts'
import { graphqlErrorOf, maskedError } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import { createExecutor, type Executor, type ExecutorOptions } from '../executor/executor.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'
import { requirementsOf } from '../supergraph/authorization-requirements.ts'
import { type ApolloLogger, consoleLogger, logOver } from './apollo-logger.ts'
import { type ApolloRequest, ApolloRequests, apolloSource } from './apollo-source.ts'
import { type GraphqlWsOptions, graphqlWsOptions } from './graphql-ws-options.ts'
import { apolloRequestOf, type HandledGateway } from './handled-gateway.ts'
import { type HttpHandler, type HttpHandlerOptions, httpHandler } from './http-handler.ts'
import { LiveStreams } from './live-streams.ts'
import { ServedGraphs } from './served-graphs.ts'
import { supergraphForApollo } from './supergraph-for-apollo.ts'

/** What the gateway must know of the caller of an operation. */
export interface CallerContext {
  readonly principal: Principal
  /** `[A-Za-z0-9._-]{1,128}`, for errors and log lines */
  readonly requestId: string
  /** aborted when the client has disconnected, which cancels its subgraph requests */
  readonly signal?: AbortSignal
}

type ApolloOptions = Pick<
  GatewayConfig,
  'debug' | 'logger' | 'buildService' | 'queryPlannerConfig' | 'telemetry' | 'validateSupergraph' | '__exposeQueryPlanExperimental'
>

export interface CivigraphGatewayOptions
  extends ApolloOptions,
    Pick<ExecutorOptions, 'scalars' | 'overrideLabels' | 'authorization' | 'entityCache' | 'planCacheSize'> {
  /** the supergraph: a text, a function, or a manager such as IntrospectAndCompose */
  readonly supergraphSdl: string | SupergraphSdlHook | SupergraphManager
  /** Returns the caller by the `contextValue` of Apollo Server (default: anonymous callers with a new request id). */
  contextOf?(contextValue: object): CallerContext
  /** whether clients get "Internal server error" instead of the message of an error without a code (default: false, as ApolloGateway) */
  readonly maskErrors?: boolean
  /** time limit of a request, ms (default: 30,000) */
  readonly requestTimeoutMs?: number
  /**
   * `apollo` runs operations with ApolloGateway's executor, without subscriptions and authorization directives, to compare the two (default:
   * `civigraph`)
   */
  readonly execution?: 'civigraph' | 'apollo'
  /** creates the executor of each supergraph, for example one that limits costs (default: `createExecutor` of this package) */
  readonly createExecutor?: (options: ExecutorOptions) => Executor
}

const defaultTimeoutMs = 30_000
/** Additional wait for the outcome of a mutation after its deadline. */
const graceMs = 5000

/**
 * An ApolloGateway with Civigraph's executor: `new ApolloServer({ gateway: new CivigraphGateway({ supergraphSdl }) })`.
 * @see ../../packages/civigraph-gateway/README.md
 */
export class CivigraphGateway extends ApolloGateway {
  readonly #options: CivigraphGatewayOptions
  readonly #graphs: ServedGraphs
  readonly #requests: ApolloRequests
  readonly #streams: LiveStreams
  readonly #logger: ApolloLogger
  readonly #log: Log

  /** @throws {Error} naming an option of ApolloGateway that is not supported, and its replacement */
  constructor(options: CivigraphGatewayOptions) {
    checkOptions(options)
    const { supergraphSdl, execution = 'civigraph', requestTimeoutMs = defaultTimeoutMs, buildService } = options
    const logger = options.logger ?? consoleLogger(options.debug === true)
    const log = logOver(logger)
    const requests = new ApolloRequests()
    const streams = new LiveStreams(() => executorOf(graphs), log, options.maskErrors === true)
    const graphs: ServedGraphs = new ServedGraphs({
      build: execution === 'apollo' ? withoutExecutor : builderOf(options, requestTimeoutMs),
      textFor: execution === 'apollo' ? (sdl) => sdl : supergraphForApollo,
      sourceOf: (name, dataSource) => apolloSource(name, dataSource, requests),
      switched: () => void streams.move(),
      logError: (message) => logger.error(message),
      retireMs: requestTimeoutMs + graceMs,
    })
    super({
      ...apolloOptionsOf(options),
      logger,
      supergraphSdl: graphs.managerOf(supergraphSdl),
      ...(buildService && { buildService: (definition) => checkedDataSource(definition.name, buildService(definition)) }),
    })
    this.#options = options
    this.#graphs = graphs
    this.#requests = requests
    this.#log = log
    this.#logger = logger
    this.#streams = streams
    // before the listeners of Apollo Server, which then get the new schema
    super.onSchemaLoadOrUpdate(({ coreSupergraphSdl }) => {
      graphs.commit(coreSupergraphSdl)
      const executor = graphs.current?.executor
      if (executor !== undefined) this.schema = executor.schema
    })
    if (execution === 'civigraph') this.executor = (request) => this.#execute(request)
  }

  /** Calls back with the API schema of this gateway and the supergraph as its manager gave it. */
  override onSchemaLoadOrUpdate(
    callback: Parameters<ApolloGateway['onSchemaLoadOrUpdate']>[0],
  ): ReturnType<ApolloGateway['onSchemaLoadOrUpdate']> {
    return super.onSchemaLoadOrUpdate((loaded) => {
      const { sdl = loaded.coreSupergraphSdl, executor } = this.#graphs.current ?? {}
      callback({ apiSchema: executor?.schema ?? loaded.apiSchema, coreSupergraphSdl: sdl })
    })
  }

  /** @deprecated as in ApolloGateway: use `onSchemaLoadOrUpdate` */
  override onSchemaChange(callback: Parameters<ApolloGateway['onSchemaChange']>[0]): ReturnType<ApolloGateway['onSchemaChange']> {
    return this.onSchemaLoadOrUpdate(({ apiSchema }) => callback(apiSchema))
  }

  /** Ends streams, then stops as ApolloGateway does and closes the connections to the subgraphs. */
  override async stop(): Promise<void> {
    const stopped = super.stop()
    // ApolloGateway refuses at once inside a listener of an update: then streams continue
    await Promise.race([stopped, undefined])
    this.#streams.stop()
    try {
      await stopped
    } finally {
      await this.#graphs.stop()
    }
  }

  /**
   * Returns a plugin of Apollo Server that completes the streams when the server begins to stop. Without it `ApolloServerPluginDrainHttpServer` waits
   * for streams in HTTP responses, and cuts them after its grace period.
   */
  drainPlugin(): ApolloServerPlugin {
    return { serverWillStart: async () => ({ drainServer: async () => this.#streams.stop() }) }
  }

  /**
   * Returns a handler of Node's HTTP server or Express for subscriptions and deferred fragments in HTTP responses; everything else goes to its `next`:
   * `app.use('/graphql', express.json(), gateway.httpHandler(), expressMiddleware(server))`. @throws {Error} with `execution: 'apollo'`
   */
  httpHandler(options: HttpHandlerOptions = {}): HttpHandler {
    return httpHandler(this.#handled(), options)
  }

  /** Returns options for graphql-ws: `useServer(gateway.graphqlWsOptions(), webSocketServer)`. @throws {Error} with `execution: 'apollo'` */
  graphqlWsOptions(options: GraphqlWsOptions = {}): ReturnType<typeof graphqlWsOptions> {
    return graphqlWsOptions(this.#handled(), options)
  }

  #handled(): HandledGateway {
    if (this.#options.execution === 'apollo') throw new Error("execution: 'apollo' has no streams: use execution: 'civigraph'")
    return {
      executor: () => executorOf(this.#graphs),
      streams: this.#streams,
      errorFor: (thrown) =>
        maskedError(graphqlErrorOf(thrown), {
          requestId: randomUUID(),
          log: this.#log,
          maskErrors: this.#options.maskErrors === true,
        }),
      contextOf: (received, disconnected) => this.#contextOf(apolloRequestOf(received, this.#logger), disconnected),
    }
  }

  async #execute(request: ApolloRequest): ReturnType<ApolloGateway['executor']> {
    const executor = executorOf(this.#graphs)
    const { context, end } = this.#contextOf(request)
    try {
      const operation = executor.prepare(request.source, request.request.operationName)
      const { later: _, ...result } = await executor.execute(operation, request.request.variables ?? {}, context)
      const cachePolicy = executor.cachePolicy(operation)
      if (cachePolicy !== undefined) request.overallCachePolicy?.restrict?.(cachePolicy)
      return result
    } catch (error) {
      const { requestId, log, signal } = context
      return failedResult(error, { requestId, log, signal, maskErrors: this.#options.maskErrors === true })
    } finally {
      end()
    }
  }

  /** @returns the context, and a function that ends its deadline */
  #contextOf(request: ApolloRequest, disconnected?: AbortSignal): { readonly context: RequestContext; readonly end: () => void } {
    const options = this.#options
    const caller =
      options.contextOf === undefined
        ? { principal: anonymous, requestId: randomUUID() }
        : checkedCaller(options.contextOf(request.context))
    // an object of its own, by which the data sources find the request
    const principal = { ...caller.principal }
    this.#requests.set(principal, request)
    const context = requestContext({
      principal,
      requestId: caller.requestId,
      log: this.#log,
      timeoutMs: this.#options.requestTimeoutMs ?? defaultTimeoutMs,
      disconnected: AbortSignal.any([caller.signal, disconnected].filter((signal) => signal !== undefined)),
    })
    return { context, end: () => context[Symbol.dispose]() }
  }
}

function executorOf({ current }: ServedGraphs): Executor {
  if (current?.executor === undefined) throw new Error('CivigraphGateway has no supergraph yet: await its load()')
  return current.executor
}

/** @returns a function that builds executors; plans outlive their supergraph while what they depend on is unchanged */
function builderOf(options: CivigraphGatewayOptions, eventTimeoutMs: number) {
  const {
    scalars,
    overrideLabels,
    authorization,
    entityCache,
    planCacheSize,
    maskErrors = false,
    createExecutor: create = createExecutor,
  } = options
  const plans = planCache()
  return (supergraph: string, sources: Readonly<Record<string, SubgraphSource>>): Executor =>
    create({
      supergraph,
      sources,
      eventTimeoutMs,
      plans,
      maskErrors,
      ...(scalars && { scalars }),
      ...(overrideLabels && { overrideLabels }),
      ...(authorization && { authorization }),
      ...(planCacheSize !== undefined && { planCacheSize }),
      entityCache,
    })
}

/** @throws {Error} if ApolloGateway would not enforce a directive of the supergraph */
function withoutExecutor(sdl: string): undefined {
  const { directives } = requirementsOf(parse(sdl, { noLocation: true }))
  if (directives.length > 0)
    throw new Error(`execution: 'apollo' does not enforce ${directives.join(', ')} of the supergraph: use execution: 'civigraph'`)
}

const apolloOptions = ['debug', 'queryPlannerConfig', 'telemetry', 'validateSupergraph', '__exposeQueryPlanExperimental'] as const

function apolloOptionsOf(options: CivigraphGatewayOptions): Pick<GatewayConfig, (typeof apolloOptions)[number]> {
  return Object.fromEntries(apolloOptions.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]))
}

/** Options of ApolloGateway that this class refuses, with their replacements. */
const replacements: Readonly<Record<string, string>> = {
  serviceList: 'supergraphSdl: new IntrospectAndCompose({ subgraphs })',
  introspectionHeaders: 'introspectionHeaders of IntrospectAndCompose',
  pollIntervalInMs: 'pollIntervalInMs of IntrospectAndCompose',
  serviceHealthCheck: 'subgraphHealthCheck of IntrospectAndCompose, or healthCheck in a function as supergraphSdl',
  localServiceList: 'supergraphSdl: composeSupergraph(subgraphs)',
  schemaConfigDeliveryEndpoint: 'a function as supergraphSdl that fetches the supergraph',
  uplinkEndpoints: 'a function as supergraphSdl that fetches the supergraph',
  uplinkMaxRetries: 'a function as supergraphSdl that fetches the supergraph',
  fallbackPollIntervalInMs: 'a function as supergraphSdl that fetches the supergraph',
  fetcher: 'fetcher of a RemoteGraphQLDataSource in buildService',
  experimental_updateServiceDefinitions: 'a function as supergraphSdl',
  experimental_updateSupergraphSdl: 'a function as supergraphSdl',
  experimental_didUpdateSupergraph: 'onSchemaLoadOrUpdate',
  experimental_didResolveQueryPlan: 'telemetry of createExecutor in the option createExecutor',
  experimental_approximateQueryPlanStoreMiB: 'planCacheSize, a number of operations',
  experimental_autoFragmentization: 'no option: operations for subgraphs are as the query planner prints them',
}

function checkOptions(options: CivigraphGatewayOptions | undefined): void {
  for (const [name, value] of Object.entries(options ?? {})) {
    const replacement = replacements[name] ?? (name.startsWith('experimental_') ? 'no experimental option' : undefined)
    if (value !== undefined && replacement !== undefined) throw new Error(`CivigraphGateway does not support ${name}: use ${replacement}`)
  }
  const { supergraphSdl, execution = 'civigraph', buildService, contextOf }: Partial<CivigraphGatewayOptions> = options ?? {}
  if (supergraphSdl === undefined || supergraphSdl instanceof UplinkSupergraphManager)
    throw new Error('CivigraphGateway does not support Uplink: use a text, a function or a manager as supergraphSdl')
  if (!isSupergraphOption(supergraphSdl))
    throw new Error('supergraphSdl must be a text, a function or a manager (an object with a method initialize)')
  for (const [name, option] of Object.entries({ buildService, contextOf }))
    if (option !== undefined && typeof option !== 'function') throw new Error(`${name} must be a function`)
  if (execution !== 'civigraph' && execution !== 'apollo') throw new Error("execution must be 'civigraph' or 'apollo'")
}

function isSupergraphOption(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' || typeof value === 'function'
  return 'initialize' in value && typeof value.initialize === 'function'
}

/** @throws {Error} if `contextOf` returned no caller, for example the promise of an async function */
function checkedCaller(caller: CallerContext | undefined): CallerContext {
  if (typeof caller?.principal === 'object' && caller.principal !== null && typeof caller.requestId === 'string') return caller
  throw new Error('contextOf returned no caller: return { principal, requestId }, not a promise')
}

/** @throws {Error} naming the subgraph if `buildService` returned no data source */
function checkedDataSource(name: string, dataSource: unknown): GraphQLDataSource {
  if (isDataSource(dataSource)) return dataSource
  throw new Error(`buildService returned no data source for the subgraph "${name}": return an object with a method process`)
}

const isDataSource = (value: unknown): value is GraphQLDataSource =>
  typeof value === 'object' && value !== null && 'process' in value && typeof value.process === 'function'
