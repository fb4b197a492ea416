import '../telemetry/apollo-opt-out.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { ApolloServer, type ApolloServerOptionsWithGateway } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Log } from '../../foundation/log.ts'
import type { CachePolicy } from '../caching/cache-policy.ts'
import { maskedError, placeOf } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import { described } from '../errors/without-values.ts'
import type { Executor } from '../executor.ts'
import { cacheControlOf } from '../http/cache-control.ts'
import { httpStatus, retryAfterOf } from './graphql-answer.ts'

/** What a request that Apollo Server answers is known by, also where Apollo gives its hooks no context. */
interface ServedRequest {
  readonly requestId: string
  readonly accept: string | undefined
  /** of the trace that the caller keeps */
  readonly traceId: string | undefined
  /** for how long the answer may be kept, unless it has errors */
  readonly cachePolicy: CachePolicy | undefined
}

/** Apollo Server over our executor, and the way to tell it which request it is answering. */
export interface Apollo {
  readonly server: ApolloServer<RequestContext>
  answering<Result>(request: ServedRequest, answer: () => Promise<Result>): Promise<Result>
  /** To be called when `executor` gives another one. @throws {Error} when its schema is not one that Apollo Server takes */
  reload(): void
}

/**
 * Apollo Server with nothing of its own that reports, caches, serves pages or guards: forgery, persisted queries and limits are checked
 * before a request comes here, by the same functions that guard the direct way to the executor.
 *
 * @param executor - the one of now
 */
export function createApollo(executor: () => Executor, introspection: boolean, log: Log): Apollo {
  const serving = new AsyncLocalStorage<ServedRequest>()
  const masked = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    // What the executor has masked already carries the request id.
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
  const { gateway, reload } = gatewayOf(executor)
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
      {
        async requestDidStart() {
          return {
            async willSendResponse({ response }) {
              if (response.body.kind !== 'single') return
              const status = httpStatus(response.body.singleResult, serving.getStore()?.accept)
              if (status !== undefined) response.http.status = status
              const kept = cacheControlOf(serving.getStore()?.cachePolicy, response.body.singleResult)
              if (kept !== undefined) response.http.headers.set('cache-control', kept)
              if (status === 503) response.http.headers.set('retry-after', retryAfterOf(response.body.singleResult))
            },
          }
        },
      },
    ],
  })
  return { server, reload, answering: (request, answer) => serving.run(request, answer) }
}

type Gateway = ApolloServerOptionsWithGateway<RequestContext>['gateway']

function gatewayOf(executor: () => Executor): { readonly gateway: Gateway; readonly reload: () => void } {
  const listeners = new Set<(loaded: { apiSchema: Executor['schema']; coreSupergraphSdl: string }) => void>()
  const reload = (): void => {
    for (const listener of listeners) listener({ apiSchema: executor().schema, coreSupergraphSdl: '' })
  }
  const gateway: Gateway = {
    onSchemaLoadOrUpdate(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      reload()
      return {
        executor: async ({ source, request, context }) => {
          try {
            const current = executor()
            const operation = current.prepare(source, request.operationName)
            // The context is the one that graphql-handler.ts hands to Apollo Server.
            return await current.execute(operation, request.variables ?? {}, context as RequestContext)
          } catch (error) {
            // Apollo Server has validated the document: what is left is a name that no operation of it has.
            return failedResult(error, context as RequestContext)
          }
        },
      }
    },
    async stop() {},
  }
  return { gateway, reload }
}

/** Apollo's own sentences may quote a request. */
function quiet(log: Log): { debug(): void; info(): void; warn(): void; error(problem: unknown): void } {
  const nothing = (): void => undefined
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (problem) => log.error({ err: described(problem) }, 'Apollo Server failed'),
  }
}
