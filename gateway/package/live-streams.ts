import type { ExecutionResult, FormattedExecutionResult } from 'graphql'
import { endableStream } from '../../foundation/concurrency/endable-stream.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Log } from '../../foundation/log.ts'
import type { Principal } from '../../foundation/principal.ts'
import { graphqlErrorOf } from '../errors/masked-error.ts'
import { failedResult } from '../errors/masked-result.ts'
import type { PreparedOperation } from '../executor/executor.ts'
import type { MemoryBudget } from '../pipeline/subscriptions/recent-results.ts'
import { SharedStream, type SubscriptionExecutor } from '../pipeline/subscriptions/shared-stream.ts'
import type { Subscriber } from '../pipeline/subscriptions/subscriber.ts'
import { boundedQueue } from '../sources/bounded-queue.ts'
import { errorFrom } from './apollo-source.ts'

/** Parses an event, which its stream has serialised. */
function resultIn(event: string): ExecutionResult {
  const { errors, ...result } = JSON.parse(event) as FormattedExecutionResult
  return { ...result, ...(errors && { errors: errors.map(errorFrom) }) }
}

/** A subscription of one client. */
export interface StreamRequest {
  readonly operation: PreparedOperation
  readonly variables: Readonly<Record<string, unknown>>
  readonly principal: Principal
  readonly requestId: string
  /** cursor of the last event of an interrupted subscription */
  readonly cursor: string | undefined
}

/** Limits of events that wait for a slow client. */
const maxWaiting = { events: 1000, bytes: 4 * 1024 * 1024 }
/** Maximum length of results that all streams store. */
const maxStoredCharacters = 32 * 1024 * 1024

/**
 * The running subscriptions. Clients share none, since data sources may treat each `contextValue` differently. Streams continue over a change of
 * supergraph if the new one resolves them equally, otherwise they end with SUBSCRIPTION_SCHEMA_RELOAD.
 */
export class LiveStreams {
  readonly #executor: () => SubscriptionExecutor
  readonly #log: Log
  readonly #maskErrors: boolean
  readonly #budget: MemoryBudget = { remaining: maxStoredCharacters }
  readonly #running = new Set<SharedStream>()
  #isStopped = false

  /** @param executor - returns the current one */
  constructor(executor: () => SubscriptionExecutor, log: Log, maskErrors: boolean) {
    this.#executor = executor
    this.#log = log
    this.#maskErrors = maskErrors
  }

  /** Delivers events to a subscriber until `disconnected` is aborted. @returns the refusal if the subscription does not start */
  async deliver(
    { operation, variables, principal, cursor }: StreamRequest,
    disconnected: AbortSignal,
    subscriber: Subscriber,
  ): Promise<ExecutionResult | undefined> {
    if (this.#isStopped) return { errors: [graphqlErrorOf(new EngineUnavailable('gateway'))] }
    const stream: SharedStream = new SharedStream({
      operation,
      variables,
      principal,
      cursor,
      traceparent: undefined,
      executor: this.#executor,
      budget: this.#budget,
      log: this.#log,
      maskErrors: this.#maskErrors,
      telemetry: undefined,
      onEnd: (ended) => this.#running.delete(ended),
    })
    this.#running.add(stream)
    stream.add(subscriber, disconnected, cursor)
    return await stream.refusal
  }

  /** Returns the results of a subscription, or its refusal. A client that reads too slowly gets an error as the last one. */
  async iterate(request: StreamRequest): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const disconnected = new AbortController()
    const queue = boundedQueue<string>(maxWaiting, (event) => event.length)
    const refusal = await this.deliver(request, disconnected.signal, {
      deliver(event) {
        queue.push(event)
        return undefined
      },
      end(last) {
        if (last !== undefined) queue.push(last)
        queue.end()
      },
    })
    if (refusal !== undefined) return refusal
    const { requestId } = request
    return endableStream(
      queue.events,
      disconnected,
      (event) => resultIn(event),
      (error) => failedResult(error, { requestId, log: this.#log, maskErrors: this.#maskErrors }),
    )
  }

  /** Moves every stream to the current executor. */
  async move(): Promise<void> {
    for (const stream of [...this.#running]) await stream.move()
  }

  /** Completes every stream, and refuses new ones. */
  stop(): void {
    this.#isStopped = true
    for (const stream of [...this.#running]) stream.interrupt()
  }
}
