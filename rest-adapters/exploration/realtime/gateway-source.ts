import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Executor, PreparedOperation } from '../../../gateway/executor.ts'
import { requestContext } from '../../../gateway/request-context.ts'
import { EngineUnavailable, messageOf } from '../../../subgraphs/foundation/fault.ts'
import { pause } from '../../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../../subgraphs/foundation/log.ts'
import { anonymous } from '../../../subgraphs/foundation/principal.ts'
import { expressionFields, shownExpression } from '../../classification/expression.ts'
import type { ChangeEvent, RealtimeSource } from './source.ts'

/** so many places before now are read at the start, for clients that ask for the newest expressions */
const readAtStart = 500
const questionMs = 5000
const retryMs = 1000
/** how long a list of domains is good for, and how soon it is read again for an id that it lacks */
const domainsMs = 2000

const State = z.object({ state: z.object({ seq: z.int(), taxonomy: z.array(z.string()) }) })
const Version = z.object({ state: z.object({ version: z.string() }) })
const ExpressionAdded = z.object({
  event: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('LAGGED'), seq: z.int() }),
    z.object({ kind: z.literal('ADDED'), seq: z.int(), expression: shownExpression }),
  ]),
})
const byLang = z
  .array(z.object({ lang: z.string(), count: z.int() }))
  .transform((list) => Object.fromEntries(list.map(({ lang, count }) => [lang, count])))
const StatisticsChanged = z.object({
  event: z.object({
    seq: z.int(),
    statistics: z.looseObject({ version: z.string(), expressions: z.looseObject({ by_lang: byLang }) }),
  }),
})
const DomainsChanged = z.object({ event: z.object({ seq: z.int(), taxonomy: z.object({ version: z.string() }) }) })
const MapInvalidated = z.object({
  event: z.object({ seq: z.int(), version: z.string(), tiles: z.array(z.object({ z: z.int(), x: z.int(), y: z.int() })) }),
})

/** The streams of the graph as the realtime channel takes them: one subscription each, however many clients there are. */
export function gatewaySource(executor: Executor, log: Log): RealtimeSource {
  const asking = executor.prepare('query RealtimeState { state: expressionStream { seq taxonomy } }')
  const expressions = executor.prepare(`subscription RealtimeExpressions($after: Int) {
    event: expressionAdded(after: $after) { seq kind expression { ${expressionFields} } }
  }`)
  const statistics = executor.prepare(`subscription RealtimeStatistics($after: Int) {
    event: statisticsChanged(after: $after) {
      seq
      statistics {
        version expressions { total today last_7d: last7d by_lang: byLang { lang count } } votes { total agree disagree pass }
        sentiment { positive neutral negative score } participants domains { total active } generated_at: generatedAt
      }
    }
  }`)
  const domains = executor.prepare(
    'subscription RealtimeDomains($after: Int) { event: domainsChanged(after: $after) { seq taxonomy { version } } }',
  )
  const map = executor.prepare(`subscription RealtimeMap($after: Int) {
    event: mapInvalidated(after: $after) { seq version tiles { z: zoom x: column y: row } }
  }`)
  const asksVersion = executor.prepare('query RealtimeVersion { state: statistics { version } }')
  let known: { readonly ids: ReadonlySet<string>; readonly at: number } | undefined

  const contextOf = (timeoutMs: number, clientGone: AbortSignal) =>
    requestContext({ principal: anonymous, requestId: randomUUID(), log, timeoutMs, clientGone })

  const ask = async <Answer>(operation: PreparedOperation, rule: z.ZodType<{ readonly state: Answer }>, signal: AbortSignal) => {
    using context = contextOf(questionMs, signal)
    const { data, errors } = await executor.execute(operation, {}, context)
    const found = rule.safeParse(data)
    if (!found.success) throw new EngineUnavailable('realtime channel', errors?.[0])
    return found.data.state
  }
  const state = async (signal: AbortSignal) => {
    const found = await ask(asking, State, signal)
    known = { ids: new Set(found.taxonomy), at: performance.now() }
    return found
  }

  /** Events of a subscription from a place on; after an interruption it goes on after the last one. */
  async function* follow<Event extends { readonly seq: number }>(
    operation: PreparedOperation,
    rule: z.ZodType<{ readonly event: Event }>,
    from: (signal: AbortSignal) => Promise<number | undefined>,
    signal: AbortSignal,
  ): AsyncGenerator<Event> {
    let seen: number | undefined
    let complained = false
    for (; !signal.aborted; await pause(retryMs, signal)) {
      try {
        seen ??= await from(signal)
        using context = contextOf(Number.POSITIVE_INFINITY, signal)
        const events = await executor.subscribe(operation, { after: seen }, context)
        if (!(Symbol.asyncIterator in events)) throw events.errors?.[0] ?? new Error('refused')
        for await (const { data, errors } of events) {
          if (errors !== undefined) throw errors[0]
          const { event } = rule.parse(data)
          seen = event.seq
          complained = false
          yield event
        }
      } catch (error) {
        if (!complained && !signal.aborted) log.warn({ reason: messageOf(error) }, 'the realtime channel was interrupted; trying on')
        complained = true
      }
    }
  }
  const now = async (): Promise<undefined> => undefined

  return {
    async *expressions(after, signal) {
      const from = async (): Promise<number> => after ?? Math.max(0, (await state(signal)).seq - readAtStart)
      for await (const event of follow(expressions, ExpressionAdded, from, signal))
        yield event.kind === 'LAGGED'
          ? { kind: 'lagged', seq: event.seq }
          : { kind: 'expression', seq: event.seq, expression: event.expression }
    },
    position: async (signal) => (await state(signal)).seq,
    changes(signal) {
      const read = async function* (): AsyncGenerator<ChangeEvent> {
        for await (const { seq, statistics: content } of follow(statistics, StatisticsChanged, now, signal))
          yield { kind: 'statistics', seq, version: content.version, statistics: content }
      }
      const readDomains = async function* (): AsyncGenerator<ChangeEvent> {
        for await (const { seq, taxonomy } of follow(domains, DomainsChanged, now, signal))
          yield { kind: 'domains', seq, version: taxonomy.version }
      }
      const readMap = async function* (): AsyncGenerator<ChangeEvent> {
        for await (const event of follow(map, MapInvalidated, now, signal)) yield { kind: 'map', ...event }
      }
      return merged([read(), readDomains(), readMap()])
    },
    version: async (signal) => (await ask(asksVersion, Version, signal)).version,
    async knowsDomain(id, signal) {
      if (known?.ids.has(id)) return true
      if (known === undefined || performance.now() - known.at > domainsMs) await state(signal)
      return known?.ids.has(id) === true
    },
  }
}

/** What comes first of several streams; each waits until its last event is taken. */
async function* merged<Event>(streams: readonly AsyncGenerator<Event>[]): AsyncGenerator<Event> {
  const next = (stream: AsyncGenerator<Event>) => stream.next().then((result) => ({ stream, result }))
  const waiting = new Map(streams.map((stream) => [stream, next(stream)]))
  while (waiting.size > 0) {
    const { stream, result } = await Promise.race(waiting.values())
    if (result.done) waiting.delete(stream)
    else {
      waiting.set(stream, next(stream))
      yield result.value
    }
  }
}
