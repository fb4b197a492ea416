import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Deadline } from '../foundation/concurrency/deadline.ts'
import type { RequestContext } from '../foundation/graphql/request-context.ts'
import { type Log, logOfRequest } from '../foundation/log.ts'
import type { Principal } from '../foundation/principal.ts'

const accepted = /^[A-Za-z0-9._-]{1,128}$/

/** The id that a caller sent in X-Request-Id, or a new one when there is none that may stand in a log line. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && accepted.test(header) ? header : randomUUID()
}

/**
 * The context of one request. Its deadline is over when the client is gone, or `timeoutMs` (Infinity: never) after it came. Dispose of it
 * when the answer is sent: that ends its timer, and the signal is then left alone.
 */
export function requestContext(options: {
  readonly principal: Principal
  readonly requestId: string
  readonly address?: string | undefined
  /** W3C's header, as it came */
  readonly traceparent?: string | undefined
  readonly log: Log
  readonly timeoutMs: number
  /** when the request came, by performance.now(); now when absent */
  readonly startedAt?: number
  /** how long the outcome of what has begun in time is waited for, when its deadline is over; the usual time when absent */
  readonly graceMs?: number
  readonly clientGone: AbortSignal
}): RequestContext & Disposable {
  const { principal, requestId, address, traceparent } = options
  const deadline = new Deadline(options)
  let log: Log | undefined
  return {
    principal,
    requestId,
    ...(address === undefined ? {} : { address }),
    ...(traceparent === undefined ? {} : { traceparent }),
    deadline,
    signal: deadline.signal,
    // Most requests log nothing: the child logger is made when one does.
    get log() {
      log ??= logOfRequest(options.log, requestId)
      return log
    },
    loaders: new Map(),
    [Symbol.dispose]() {
      deadline[Symbol.dispose]()
    },
  }
}

/** Aborts when the connection closes before the answer has been sent (and not after: making the reason of an abort takes time). */
export function abortWhenGone(response: ServerResponse, gone: AbortController): void {
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
}
