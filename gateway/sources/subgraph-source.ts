import type { Readable } from 'node:stream'
import type { ExecutionResult } from 'graphql'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { ResumeRule } from '../operation/resume.ts'

/** An operation of the query planner for a subgraph: a fetch of a plan, or the root of a subscription. */
export interface SourceRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** `traceparent` header of the calling span */
  readonly traceparent?: string
  /** its signal cancels the work */
  readonly context: RequestContext
}

/** A subscription that may be resumed after an interruption. */
export interface SourceSubscription extends SourceRequest {
  readonly resume?: ResumeRule
}

/** A subgraph, in this process or remote. */
export interface SubgraphSource {
  /** Executes a fetch; failures are in `errors`, with a code if the caller may see it. Never rejects. The caller may modify the result. */
  fetch(request: SourceRequest): Promise<ExecutionResult> | ExecutionResult
  /** Starts a subscription; a result instead of a stream is its refusal. */
  stream(request: SourceSubscription): Promise<AsyncIterable<ExecutionResult> | ExecutionResult>
  /** Opens a file that a field refers to; absent if the subgraph has none. @throws {NotFound} {EngineUnavailable} */
  openFile?(id: string, context: RequestContext): Promise<Readable>
  /** Releases connections and ends streams. */
  stop(): Promise<void>
}

/** Stored as a symbol on the result: short-lived WeakMap keys are expensive for the garbage collector. */
const arrival = Symbol('arrival')

type TimedResult = ExecutionResult & { [arrival]?: number }

/** Sets the arrival time of an event, or of a result made from it. @param at - by performance.now() */
export function arrived(event: ExecutionResult, at = performance.now()): ExecutionResult {
  return Object.defineProperty(event, arrival, { value: at, configurable: true })
}

/** Returns the arrival time of an event, by performance.now(); now if it is unset. */
export const arrivalOf = (event: TimedResult): number => event[arrival] ?? performance.now()
