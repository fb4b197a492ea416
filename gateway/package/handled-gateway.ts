import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { Executor, PreparedOperation } from '../executor/executor.ts'
import type { ApolloLogger } from './apollo-logger.ts'
import type { ApolloRequest } from './apollo-source.ts'
import type { LiveStreams } from './live-streams.ts'

/** An operation that did not pass Apollo Server. */
export interface ReceivedOperation {
  readonly operation: PreparedOperation
  readonly executor: Executor
  readonly variables: Readonly<Record<string, unknown>>
  /** the HTTP request, or the upgrade request of a WebSocket */
  readonly request: IncomingMessage
  readonly contextValue: object
}

/** What the handlers of streams need of their gateway. */
export interface HandledGateway {
  /** returns the current executor */
  readonly executor: () => Executor
  readonly streams: LiveStreams
  /** Creates the context of an operation. @returns it with a function that ends its deadline */
  readonly contextOf: (received: ReceivedOperation, gone: AbortSignal) => { readonly context: RequestContext; readonly end: () => void }
}

/** Returns the request context that data sources expect, for an operation that did not pass Apollo Server. */
export function apolloRequestOf(
  { operation, executor, variables, request, contextValue }: ReceivedOperation,
  logger: ApolloLogger,
): ApolloRequest {
  const { text, document, definition, name } = operation
  const { method = 'GET', url = '/' } = request
  const queryHash = createHash('sha256').update(text).digest('hex')
  return {
    request: {
      query: text,
      variables: { ...variables },
      ...(name === undefined ? {} : { operationName: name }),
      http: { method, url, headers: headersOf(request) },
    },
    logger,
    schema: executor.schema,
    // a branded string, which only Apollo Server can make; it identifies a schema in its reports
    schemaHash: '' as ApolloRequest['schemaHash'],
    context: contextValue,
    cache: { get: async () => undefined, set: async () => undefined, delete: async () => undefined },
    queryHash,
    document,
    source: text,
    operationName: definition.name?.value ?? null,
    operation: definition,
    metrics: {},
    overallCachePolicy: undefined,
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) for (const value of values) headers.append(name, value)
  return headers
}
