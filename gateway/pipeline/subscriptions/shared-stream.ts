import { randomUUID } from 'node:crypto'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { failedResult } from '../../errors/masked-result.ts'
import { described } from '../../errors/without-values.ts'
import type { SubscriptionStream } from '../../execution/federated-subscription.ts'
import type { Executor, PreparedOperation } from '../../executor/executor.ts'
import { beginning } from '../../operation/resume.ts'
import { arrivalOf } from '../../sources/subgraph-source.ts'
import { eventWithinSize } from '../response-size.ts'
import type { GatewayTelemetry } from '../telemetry/gateway-telemetry.ts'
import { type MemoryBudget, RecentResults } from './recent-results.ts'
import type { Subscriber } from './subscriber.ts'

/** The part of an executor that streams need. */
export type SubscriptionExecutor = Pick<Executor, 'prepare' | 'subscribe' | 'subscriptionPlan'>

export interface SharedStreamOptions {
  readonly operation: PreparedOperation
  readonly variables: Readonly<Record<string, unknown>>
  readonly principal: Principal
  /** address of the client for which it starts */
  readonly address?: string | undefined
  /** start position; undefined: from its variables, or now */
  readonly cursor: string | undefined
  /** trace header of the client for which it starts */
  readonly traceparent: string | undefined
  /** returns the current executor */
  readonly executor: () => SubscriptionExecutor
  readonly budget: MemoryBudget
  readonly log: Log
  /** whether its refusal is masked (default: true) */
  readonly maskErrors?: boolean
  /** records delivered events */
  readonly telemetry: Pick<GatewayTelemetry, 'delivered'> | undefined
  /** called once at its end */
  readonly onEnd: (stream: SharedStream) => void
}

/** A stream of a subgraph shared by subscribers with equal visibility. Ends when the last one leaves. */
export class SharedStream {
  /** why it does not start; undefined if it does */
  readonly refusal: Promise<ExecutionResult | undefined>
  readonly #options: SharedStreamOptions
  readonly #subscribers = new Set<Subscriber>()
  readonly #end = new AbortController()
  readonly #context: RequestContext
  readonly #recent: RecentResults
  /** executor that completes the events */
  #by: SubscriptionExecutor
  #events: SubscriptionStream | undefined
  #isOpen: boolean

  constructor(options: SharedStreamOptions) {
    const { principal, address, cursor, traceparent, executor, budget, log, onEnd } = options
    this.#options = options
    this.#by = executor()
    this.#recent = new RecentResults(cursor, budget)
    this.#isOpen = cursor === undefined
    const request = {
      principal,
      address,
      traceparent,
      log,
      requestId: randomUUID(),
      timeoutMs: Number.POSITIVE_INFINITY,
      disconnected: this.#end.signal,
    }
    this.#context = requestContext(request)
    this.#end.signal.addEventListener(
      'abort',
      () => {
        this.#isOpen = false
        this.#recent.clear()
        onEnd(this)
      },
      { once: true },
    )
    this.refusal = this.#begin()
  }

  /** false once a new subscriber without a cursor would miss requested events */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether a subscriber with this cursor can join. */
  reaches(cursor: string): boolean {
    return this.#recent.after(cursor) !== undefined
  }

  /**
   * @param disconnected - aborted when it leaves
   * @param cursor - of the last event it received; later stored events are delivered immediately
   */
  add(subscriber: Subscriber, disconnected: AbortSignal, cursor: string | undefined): void {
    for (const missed of cursor === undefined ? [] : (this.#recent.after(cursor) ?? []))
      void subscriber.deliver(missed.event, missed.cursor)
    this.#subscribers.add(subscriber)
    const leave = (): void => {
      this.#subscribers.delete(subscriber)
      if (this.#subscribers.size === 0 && !this.#end.signal.aborted) this.#end.abort()
    }
    if (disconnected.aborted) leave()
    else disconnected.addEventListener('abort', leave, { once: true })
  }

  /** Switches to the current executor, or ends if its results would differ. */
  async move(): Promise<void> {
    while (this.#events !== undefined && this.#by !== this.#options.executor() && !this.#end.signal.aborted) {
      const next = this.#options.executor()
      if (await this.#goesOn(this.#events, next)) this.#by = next
      else this.finish(JSON.stringify({ errors: [reloaded(this.#context.requestId)] }))
    }
  }

  /** @param last - final result for its subscribers as JSON */
  finish(last?: string): void {
    this.#end.abort()
    for (const subscriber of this.#subscribers) subscriber.end(last)
  }

  /** Ends when the gateway stops. */
  interrupt(): void {
    this.#end.abort()
    for (const subscriber of this.#subscribers) {
      if (subscriber.interrupt === undefined) subscriber.end()
      else subscriber.interrupt()
    }
  }

  async #begin(): Promise<ExecutionResult | undefined> {
    const { operation, variables, cursor } = this.#options
    // the creator adds a subscriber first
    await Promise.resolve()
    try {
      // the request may have come with a previous supergraph
      const { text, name } = operation
      const current = this.#by.prepare(text, name)
      const asksForPast = beginning(current.document, current.definition, variables) !== undefined
      const events = await this.#by.subscribe(current, variables, { ...this.#context, cursor })
      if (!('moveTo' in events)) {
        this.#end.abort()
        return events
      }
      this.#events = events
      void this.move()
      void this.#pump(events, asksForPast)
      return undefined
    } catch (error) {
      this.#end.abort()
      return failedResult(error, { ...this.#context, maskErrors: this.#options.maskErrors ?? true })
    }
  }

  async #pump(events: SubscriptionStream, asksForPast: boolean): Promise<void> {
    try {
      for await (const result of events) {
        const { errors, data, extensions } = eventWithinSize(result, this.#context)
        if (asksForPast) this.#isOpen = false
        const event = JSON.stringify({ errors, data, extensions })
        const cursor = typeof extensions?.cursor === 'string' ? extensions.cursor : undefined
        if (cursor !== undefined && !this.#end.signal.aborted) this.#recent.add({ event, cursor })
        let wait: Promise<void> | undefined
        for (const subscriber of this.#subscribers) wait = subscriber.deliver(event, cursor)
        this.#options.telemetry?.delivered(arrivalOf(result))
        if (this.#subscribers.size === 1 && wait !== undefined) await wait
      }
    } catch (error) {
      this.#options.log.error({ requestId: this.#context.requestId, err: described(error) }, 'a subscription failed')
    }
    this.finish()
  }

  async #goesOn(events: SubscriptionStream, next: SubscriptionExecutor): Promise<boolean> {
    const { operation, variables } = this.#options
    try {
      const plan = await next.subscriptionPlan(next.prepare(operation.text, operation.name), variables, this.#context)
      return 'node' in plan && events.moveTo(plan)
    } catch {
      // the operation is invalid in this supergraph
      return false
    }
  }
}

const reloaded = (requestId: string): GraphQLError =>
  new GraphQLError('The schema has changed; subscribe again', { extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD', requestId } })
