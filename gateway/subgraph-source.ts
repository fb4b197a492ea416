import type { GraphQLDataSource } from '@apollo/gateway'
import type { ExecutionResult } from 'graphql'
import type { RequestContext } from '../subgraphs/foundation/request-context.ts'

/** One subscription that the query planner wants from a subgraph. */
export interface SourceSubscription {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** its signal ends the subscription */
  readonly context: RequestContext
}

/** A subgraph, wherever it runs. The context of every request is our RequestContext. */
export interface SubgraphSource extends GraphQLDataSource {
  /** Answers one fetch of a query plan. Never rejects: what goes wrong is in `errors`, with a code where a caller may know it. */
  process: GraphQLDataSource['process']
  /** Starts a subscription. A result instead of a stream means that the subgraph refused it. */
  stream(subscription: SourceSubscription): Promise<AsyncIterable<ExecutionResult> | ExecutionResult>
  /** Releases connections; streams that still run end. */
  stop(): Promise<void>
}

type Response = Awaited<ReturnType<GraphQLDataSource['process']>>

/** A result of graphql-js as a data source answers it. */
export function responseOf(result: ExecutionResult): Response {
  // The two types differ only in how they write absent members ("undefined" or not there) of errors.
  return result as Response
}
