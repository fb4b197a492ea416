import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Deadline } from '../concurrency/deadline.ts'
import type { RequestContext } from '../graphql/request-context.ts'
import { type Log, logOfRequest } from '../log.ts'
import type { Principal } from '../principal.ts'

const accepted = /^[A-Za-z0-9._-]{1,128}$/

/** Returns the id in X-Request-Id if it is safe for a log line, otherwise a new one. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && accepted.test(header) ? header : randomUUID()
}

/**
 * Creates the context of a request. Its deadline ends on disconnect or `timeoutMs` (Infinity: never) after arrival. Dispose of it when the response
 * is sent, which stops its timer.
 */
export function requestContext(options: {
  readonly principal: Principal
  readonly requestId: string
  readonly address?: string | undefined
  /** absent for clients of the graph */
  readonly interface?: 'rest' | undefined
  /** W3C's header, as it came */
  readonly traceparent?: string | undefined
  readonly log: Log
  readonly timeoutMs: number
  /** arrival, by performance.now(); default: now */
  readonly startedAt?: number
  /** how long to wait after the deadline for the outcome of a running commit */
  readonly graceMs?: number
  readonly disconnected: AbortSignal
}): RequestContext & Disposable {
  const { principal, requestId, address, interface: adapter, traceparent } = options
  const deadline = new Deadline(options)
  let log: Log | undefined
  return {
    principal,
    requestId,
    ...(address === undefined ? {} : { address }),
    ...(adapter === undefined ? {} : { interface: adapter }),
    ...(traceparent === undefined ? {} : { traceparent }),
    deadline,
    signal: deadline.signal,
    // Most requests log nothing, so the child logger is created on demand.
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

/** Aborts when the connection closes before the response is sent; not after, since creating an abort reason takes time. */
export function abortOnDisconnect(response: ServerResponse, disconnected: AbortController): void {
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort()
  })
}
