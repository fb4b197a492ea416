import type { Readable } from 'node:stream'
import type { ExecutionResult } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { ResumeRule } from '../subscriptions/resume.ts'

/** One operation that the query planner wants a subgraph to execute: a fetch of a plan, or the root of a subscription. */
export interface SourceRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** the span that the subgraph is to go on with, as W3C's header of that name has it */
  readonly traceparent?: string
  /** its signal ends the work */
  readonly context: RequestContext
}

/** A subscription that a source may continue after an interruption. */
export interface SourceSubscription extends SourceRequest {
  readonly resume?: ResumeRule
}

/** A subgraph, wherever it runs. */
export interface SubgraphSource {
  /**
   * Answers one fetch of a query plan; what goes wrong is in `errors`, with a code where a caller may know it. Never rejects. The result
   * is the caller's own, to change as it likes.
   */
  fetch(request: SourceRequest): Promise<ExecutionResult> | ExecutionResult
  /** Starts a subscription. A result instead of a stream means that the subgraph refused it. */
  stream(request: SourceSubscription): Promise<AsyncIterable<ExecutionResult> | ExecutionResult>
  /** The bytes of a file that a field named; absent where a subgraph has none. @throws {NotFound}  @throws {EngineUnavailable} */
  openFile?(id: string, context: RequestContext): Promise<Readable>
  /** Releases connections; streams that still run end. */
  stop(): Promise<void>
}
