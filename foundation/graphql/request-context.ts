import type { Deadline } from '../concurrency/deadline.ts'
import type { Log } from '../log.ts'
import type { Principal } from '../principal.ts'

/** The context of every resolver: principal, deadline and request id. */
export interface RequestContext {
  readonly principal: Principal
  /** `[A-Za-z0-9._-]{1,128}`; in every log line and error of the request */
  readonly requestId: string
  /** client address, if known */
  readonly address?: string
  /** set by the REST adapters only: their documented operations accept more than the graph; absent for every other client */
  readonly interface?: 'rest'
  /** `traceparent` header of the request, not validated */
  readonly traceparent?: string
  /** checked immediately before each commit */
  readonly deadline: Deadline
  /** signal of the deadline: aborted when the client disconnects or the deadline passes */
  readonly signal: AbortSignal
  readonly log: Log
  /** DataLoaders by name, so that entities load in batches: `loader(context, 'citizen', () => new DataLoader(...))` */
  readonly loaders: Map<string, unknown>
}

/** Returns the content of a file that a field of a subgraph refers to. @throws {NotFound} for an unknown id */
export type OpenFile = (id: string, context: RequestContext) => Promise<Uint8Array>
