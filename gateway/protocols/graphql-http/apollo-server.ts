import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import '../../supergraph/apollo-opt-out.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { ApolloServer, type ApolloServerOptionsWithGateway, type ApolloServerPlugin } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Log } from '../../../foundation/log.ts'
import type { CachePolicy } from '../../caching/cache-policy.ts'
import { maskedError, placeOf } from '../../errors/masked-error.ts'
import { failedResult } from '../../errors/masked-result.ts'
import { described } from '../../errors/without-values.ts'
import type { Executor } from '../../executor/executor.ts'
import { answerHead } from './answer-head.ts'

/** The data of a request that Apollo Server answers, also for hooks without a context. */
interface ServedRequest {
  readonly requestId: string
  readonly accept: string | undefined
  /** trace id of the caller's trace */
  readonly traceId: string | undefined
  /** how long the response may be cached unless it has errors */
  readonly cachePolicy: CachePolicy | undefined
}

/** Apollo Server over the executor, and the binding of its requests. */
export interface Apollo {
  readonly server: ApolloServer<RequestContext>
  answering<Result>(request: ServedRequest, answer: () => Promise<Result>): Promise<Result>
  /** Must be called after `executor` returns another one. @throws {Error} if Apollo Server rejects its schema */
  reload(): void
}

export interface ApolloOptions {
  /** returns the current executor */
  readonly executor: () => Executor
  readonly introspection: boolean
  readonly log: Log
  /** creates the gateway of Apollo Server (default: one without ApolloGateway) */
  readonly gatewayOver?: ApolloGatewayFactory | undefined
  readonly plugins?: readonly ApolloServerPlugin<RequestContext>[] | undefined
}

/** Creates a gateway whose requests have a RequestContext as `contextValue`. @param executor - returns the current one */
export type ApolloGatewayFactory = (executor: () => Executor) => ReloadableGateway

export interface ReloadableGateway {
  readonly gateway: ApolloServerOptionsWithGateway<RequestContext>['gateway']
  /** Must be called after `executor` returns another one. @throws {Error} if its schema is refused; nothing has changed then */
  reload(): void
}

/**
 * Creates Apollo Server without its reporting, caching, pages and guards: CSRF, persisted queries and limits are checked before, by the same
 * functions as on the direct path to the executor
 */
export function createApollo({ executor, introspection, log, gatewayOver = gatewayOf, plugins = [] }: ApolloOptions): Apollo {
  const serving = new AsyncLocalStorage<ServedRequest>()
  const masked = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    // Errors masked by the executor already carry the request id.
    if (formatted.extensions?.requestId !== undefined) return formatted
    const coded = new GraphQLError(formatted.message, {
      ...(error instanceof GraphQLError ? placeOf(error) : {}),
      extensions: { ...formatted.extensions },
    })
    const { requestId = 'none', traceId } = serving.getStore() ?? {}
    const { message, extensions, locations, path } = maskedError(coded, { requestId, log }).toJSON()
    return {
      message,
      ...(locations === undefined ? {} : { locations }),
      ...(path === undefined ? {} : { path }),
      extensions: { ...extensions, ...(traceId === undefined ? {} : { traceId }) },
    }
  }
  const { gateway, reload } = gatewayOver(executor)
  const server = new ApolloServer<RequestContext>({
    gateway,
    introspection,
    includeStacktraceInErrorResponses: false,
    nodeEnv: 'production',
    csrfPrevention: false,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    stopOnTerminationSignals: false,
    formatError: masked,
    logger: quiet(log),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ...plugins,
      {
        async requestDidStart() {
          return {
            async willSendResponse({ response }) {
              if (response.body.kind !== 'single') return
              const { accept, cachePolicy } = serving.getStore() ?? {}
              const { status, headers } = answerHead(response.body.singleResult, accept, cachePolicy)
              if (status !== undefined) response.http.status = status
              for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value)
            },
          }
        },
      },
    ],
  })
  return { server, reload, answering: (request, answer) => serving.run(request, answer) }
}

type GatewayExecutor = NonNullable<Awaited<ReturnType<ReloadableGateway['gateway']['load']>>['executor']>

/** Returns the executor of a gateway whose requests have a RequestContext as `contextValue`. @param executor - returns the current one */
export function executing(executor: () => Executor): GatewayExecutor {
  return async ({ source, request, context }) => {
    // graphql-handler.ts passes this context to Apollo Server
    const requestContext = context as RequestContext
    try {
      const current = executor()
      return await current.execute(current.prepare(source, request.operationName), request.variables ?? {}, requestContext)
    } catch (error) {
      // Apollo Server has validated the document; only an unknown operation name remains.
      return failedResult(error, requestContext)
    }
  }
}

/** A gateway for processes that do not have the gateway role: ApolloGateway would load its own query planner. */
function gatewayOf(executor: () => Executor): ReloadableGateway {
  const listeners = new Set<(loaded: { apiSchema: Executor['schema']; coreSupergraphSdl: string }) => void>()
  const reload = (): void => {
    for (const listener of listeners) listener({ apiSchema: executor().schema, coreSupergraphSdl: '' })
  }
  const gateway: ReloadableGateway['gateway'] = {
    onSchemaLoadOrUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      reload()
      return { executor: executing(executor) }
    },
    async stop() {},
  }
  return { gateway, reload }
}

/** Apollo's own log messages may quote a request. */
function quiet(log: Log): { debug(): void; info(): void; warn(): void; error(problem: unknown): void } {
  const ignore = (): void => undefined
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (problem) => log.error({ err: described(problem) }, 'Apollo Server failed'),
  }
}
