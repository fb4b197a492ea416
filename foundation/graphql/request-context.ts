import type { Deadline } from '../concurrency/deadline.ts'
import type { Log } from '../log.ts'
import type { Principal } from '../principal.ts'

/** What every resolver gets as its context: who asks, until when, and under which id. */
export interface RequestContext {
  readonly principal: Principal
  /** `[A-Za-z0-9._-]{1,128}`; in every log line and error of this request */
  readonly requestId: string
  /** where the client's connection comes from, if that is known */
  readonly address?: string
  /** the trace that the caller's request belongs to, as W3C's header of that name has it; unchecked */
  readonly traceparent?: string
  /** what makes something durable asks it last, right before */
  readonly deadline: Deadline
  /** of the deadline: aborted when the client is gone or the time is over */
  readonly signal: AbortSignal
  readonly log: Log
  /** One loader per request and key, so that entities load in batches: `loader(context, 'citizen', () => new DataLoader(...))`. */
  readonly loaders: Map<string, unknown>
}
