import '../supergraph/apollo-opt-out.ts'
import {
  type ApolloGateway,
  type GraphQLDataSource,
  type GraphQLDataSourceProcessOptions,
  LocalGraphQLDataSource,
  RemoteGraphQLDataSource,
} from '@apollo/gateway'
import { GraphQLDataSourceRequestKind } from '@apollo/gateway/dist/datasources/types.js'
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { messageOf } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Principal } from '../../foundation/principal.ts'
import { inProcessSource } from '../sources/in-process-source.ts'
import { remoteSource } from '../sources/remote-source.ts'
import type { SourceRequest, SubgraphSource } from '../sources/subgraph-source.ts'

/** The request context of ApolloGateway. */
export type ApolloRequest = Parameters<ApolloGateway['executor']>[0]
type IncomingOptions = Extract<GraphQLDataSourceProcessOptions, { readonly incomingRequestContext: unknown }>
type SubgraphRequest = IncomingOptions['request']
type SubgraphResponse = Awaited<ReturnType<GraphQLDataSource['process']>>

/** Requests of Apollo Server by the principal of their context, which is the same object in every fetch and event. */
export class ApolloRequests {
  readonly #requests = new WeakMap<Principal, ApolloRequest>()

  set(principal: Principal, request: ApolloRequest): void {
    this.#requests.set(principal, request)
  }

  of({ principal }: Pick<RequestContext, 'principal'>): ApolloRequest {
    const request = this.#requests.get(principal)
    if (request === undefined) throw new Error('The request has no context of Apollo Server')
    return request
  }
}

/** Hooks and settings by which an instance of RemoteGraphQLDataSource differs from a plain one. */
const customisations = ['willSendRequest', 'didReceiveResponse', 'didEncounterError', 'process', 'parseBody', 'errorFromResponse'] as const
const plainFetcher = String(new RemoteGraphQLDataSource().fetcher)

/**
 * Returns the source of a data source. A plain RemoteGraphQLDataSource or LocalGraphQLDataSource is replaced by a source of this package; any other is
 * called through `process`. Never throws: a data source without a valid URL fails its requests.
 */
export function apolloSource(name: string, dataSource: GraphQLDataSource, requests: ApolloRequests): SubgraphSource {
  if (dataSource instanceof LocalGraphQLDataSource) {
    const local = inProcessSource({ schema: dataSource.schema }, (context) => requests.of(context).context)
    return dataSource.process === LocalGraphQLDataSource.prototype.process
      ? local
      : { ...processed(name, dataSource, requests), stream: local.stream }
  }
  if (!(dataSource instanceof RemoteGraphQLDataSource)) return processed(name, dataSource, requests)
  const remote = reachable(name, dataSource.url)
  if (isPlain(dataSource)) return remote
  return {
    ...processed(name, dataSource, requests),
    async stream(subscription) {
      const { context } = subscription
      const forwarded = await headersFor(dataSource, subscription, requests.of(context))
      return remote.stream({ ...subscription, context: { ...context, principal: { ...context.principal, forwarded } } })
    },
    stop: () => remote.stop(),
  }
}

function isPlain(dataSource: RemoteGraphQLDataSource): boolean {
  const { prototype } = RemoteGraphQLDataSource
  return (
    !dataSource.apq && String(dataSource.fetcher) === plainFetcher && customisations.every((name) => dataSource[name] === prototype[name])
  )
}

/** Returns the remote source at a URL, or one that reports the missing URL on each request. */
function reachable(name: string, url: string | undefined): SubgraphSource {
  if (/^https?:$/.test(URL.parse(url ?? '')?.protocol ?? '')) return remoteSource({ name, url: url ?? '' })
  const refused = { errors: [new GraphQLError(`The subgraph "${name}" has no http URL: set it in the supergraph or in buildService`)] }
  return { fetch: () => refused, stream: async () => refused, stop: async () => undefined }
}

/** Runs `willSendRequest` for a subscription, which has no HTTP request. @returns the headers that it sets, by lower-case name */
async function headersFor(
  dataSource: RemoteGraphQLDataSource,
  { query, operationName, variables }: SourceRequest,
  incoming: ApolloRequest,
): Promise<Readonly<Record<string, string>>> {
  const headers = new Headers()
  const request: SubgraphRequest = {
    query,
    variables: { ...variables },
    ...(operationName === undefined ? {} : { operationName }),
    http: { method: 'POST', url: dataSource.url, headers },
  }
  await dataSource.willSendRequest?.({
    kind: GraphQLDataSourceRequestKind.INCOMING_OPERATION,
    request,
    incomingRequestContext: incoming,
    context: incoming.context,
  })
  return Object.fromEntries(request.http?.headers ?? headers)
}

/** Calls a subgraph through `process`. ApolloGateway passes no signal: at the deadline the response is ignored. */
function processed(name: string, dataSource: GraphQLDataSource, requests: ApolloRequests): SubgraphSource {
  return {
    async fetch({ query, operationName, variables, context }) {
      try {
        const incoming = requests.of(context)
        const response = await within(
          context.signal,
          dataSource.process({
            kind: GraphQLDataSourceRequestKind.INCOMING_OPERATION,
            request: { query, variables: { ...variables }, ...(operationName === undefined ? {} : { operationName }) },
            incomingRequestContext: incoming,
            context: incoming.context,
          }),
        )
        return resultOf(name, response)
      } catch (error) {
        // the data source may still execute it
        if (context.signal.aborted && query.startsWith('mutation')) context.deadline.recordCommit()
        return { errors: [failureOf(error)] }
      }
    },
    async stream() {
      return { errors: [new GraphQLError(`The data source of the subgraph "${name}" cannot stream: extend RemoteGraphQLDataSource`)] }
    },
    async stop() {},
  }
}

function resultOf(name: string, response: SubgraphResponse | undefined): ExecutionResult {
  if (typeof response !== 'object' || response === null)
    throw new Error(`The data source of the subgraph "${name}" returned no response: return { data, errors }`)
  const { data } = response
  const errors: unknown = response.errors ?? []
  if (!Array.isArray(errors)) throw new Error(`The data source of the subgraph "${name}" returned \`errors\` that is not a list`)
  if (data === undefined && errors.length === 0) throw new Error(`The data source of the subgraph "${name}" returned no data`)
  return {
    // the executor adds to a result, and a data source may return the same one again
    ...(data === undefined ? {} : { data: data === null ? null : copied(data) }),
    ...(errors.length > 0 && { errors: errors.map((error) => (error instanceof GraphQLError ? error : errorFrom(Object(error)))) }),
  }
}

/** Returns an error as an object of graphql-js, by its form in a response. */
export function errorFrom({ message, path, extensions }: GraphQLFormattedError): GraphQLError {
  return new GraphQLError(message, { ...(path && { path }), ...(extensions && { extensions: { ...extensions } }) })
}

/** Copies plain objects and lists. */
function copied<Value>(value: Value): Value
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => copied(each))
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)]))
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** As ApolloGateway, where the error of a data source reaches the client with its message. */
function failureOf(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const extensions = error instanceof Error && 'extensions' in error ? {} : { extensions: { code: 'INTERNAL_SERVER_ERROR' } }
  return new GraphQLError(messageOf(error), { originalError: error instanceof Error ? error : null, ...extensions })
}

/** Resolves as a value or promise does, or rejects when the signal is aborted. */
function within<Value>(signal: AbortSignal, value: Promise<Value> | Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end))
  })
}
