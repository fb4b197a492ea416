import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { EngineUnavailable, messageOf } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { requestContext } from '../../foundation/http/request-context.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { anonymous } from '../../foundation/principal.ts'
import type { Executor, PreparedOperation } from '../../gateway/executor/executor.ts'
import type { NumberedEvent } from './feed-event.ts'

const questionMs = 5000
const retryMs = 1000

/** Reads the graph for a live channel, once for all of its clients, as an anonymous caller. */
export class GraphFeed {
  readonly #executor: Executor
  readonly #channel: string
  readonly #log: Log

  /** @param channel - name, such as "the realtime channel" */
  constructor(executor: Executor, channel: string, log: Log) {
    this.#executor = executor
    this.#channel = channel
    this.#log = log
  }

  prepare(text: string): PreparedOperation {
    return this.#executor.prepare(text)
  }

  /** Returns the result of a query without variables. @throws {EngineUnavailable} for an error or an invalid result */
  async query<Answer>(operation: PreparedOperation, rule: z.ZodType<Answer>, signal: AbortSignal): Promise<Answer> {
    using context = this.#context(questionMs, signal)
    const { data, errors } = await this.#executor.execute(operation, {}, context)
    const parsed = rule.safeParse(data)
    if (!parsed.success) throw new EngineUnavailable(this.#channel, errors?.[0])
    return parsed.data
  }

  /**
   * Yields events of a subscription with a variable `after`; resumes after interruptions; ends with its signal. @param from - retried until it
   * succeeds: start position, undefined for now
   */
  async *follow<Event extends NumberedEvent>(
    operation: PreparedOperation,
    rule: z.ZodType<{ readonly event: Event }>,
    from: (signal: AbortSignal) => Promise<number | undefined>,
    signal: AbortSignal,
  ): AsyncGenerator<Event> {
    let seen: number | undefined
    let hasWarned = false
    for (; !signal.aborted; await pause(retryMs, signal)) {
      try {
        seen ??= await from(signal)
        using context = this.#context(Number.POSITIVE_INFINITY, signal)
        const events = await this.#executor.subscribe(operation, { after: seen }, context)
        if (!(Symbol.asyncIterator in events)) throw events.errors?.[0] ?? new Error('refused')
        for await (const { data, errors } of events) {
          if (errors !== undefined) throw errors[0]
          const { event } = rule.parse(data)
          seen = event.seq
          hasWarned = false
          yield event
        }
      } catch (error) {
        if (!hasWarned && !signal.aborted)
          this.#log.warn({ channel: this.#channel, reason: messageOf(error) }, 'a live channel was interrupted, retrying')
        hasWarned = true
      }
    }
  }

  #context(timeoutMs: number, disconnected: AbortSignal): RequestContext & Disposable {
    return requestContext({ principal: anonymous, requestId: randomUUID(), log: this.#log, timeoutMs, disconnected })
  }
}
