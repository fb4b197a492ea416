import { z } from 'zod'
import type { Log } from '../../../foundation/log.ts'
import type { Executor } from '../../../gateway/executor/executor.ts'
import { CachedTaxonomy } from '../../live/cached-taxonomy.ts'
import { ExpressionFeed } from '../../live/expression-feed.ts'
import { GraphFeed } from '../../live/graph-feed.ts'
import { versionedStatsData, votesSelection } from '../responses.ts'
import type { ChangeEvent, RealtimeSource } from './source.ts'

const Version = z.object({ state: z.object({ version: z.string() }) })
const StatisticsChanged = z.object({ event: z.object({ seq: z.int(), statistics: versionedStatsData }) })
const DomainsChanged = z.object({ event: z.object({ seq: z.int(), taxonomy: z.object({ version: z.string() }) }) })
const MapInvalidated = z.object({
  event: z.object({ seq: z.int(), version: z.string(), tiles: z.array(z.object({ z: z.int(), x: z.int(), y: z.int() })) }),
})

/** Creates the source of the realtime channel: one subscription per stream, for any number of clients. */
export function gatewaySource(executor: Executor, log: Log): RealtimeSource {
  const graph = new GraphFeed(executor, 'realtime channel', log)
  const expressions = new ExpressionFeed(graph, { withdrawals: true })
  const statistics = graph.prepare(`subscription RealtimeStatistics($after: SafeInt) {
    event: statisticsChanged(afterPosition: $after) {
      seq: position
      statistics {
        version expressions { total today last_7d: last7d by_lang: byLang { lang count } } ${votesSelection}
        sentiment { positive neutral negative score } participants domains { total active } generated_at: generatedAt
      }
    }
  }`)
  const domains = graph.prepare(
    'subscription RealtimeDomains($after: SafeInt) { event: domainsChanged(afterPosition: $after) { seq: position taxonomy { version } } }',
  )
  const map = graph.prepare(`subscription RealtimeMap($after: SafeInt) {
    event: mapInvalidated(afterPosition: $after) { seq: position version tiles { z: zoom x: column y: row } }
  }`)
  const versionQuery = graph.prepare('query RealtimeVersion { state: statistics { version } }')
  const taxonomy = new CachedTaxonomy(async (signal) => (await expressions.state(signal)).taxonomy)
  const now = async (): Promise<undefined> => undefined

  const position = async (signal: AbortSignal): Promise<number> => {
    const state = await expressions.state(signal)
    taxonomy.note(state.taxonomy)
    return state.seq
  }

  return {
    expressions: (after, signal) => expressions.after(async () => after, signal),
    position,
    changes(signal) {
      const readStatistics = async function* (): AsyncGenerator<ChangeEvent> {
        for await (const { seq, statistics: content } of graph.follow(statistics, StatisticsChanged, now, signal))
          yield { kind: 'statistics', seq, version: content.version, statistics: content }
      }
      const readDomains = async function* (): AsyncGenerator<ChangeEvent> {
        for await (const { seq, taxonomy: changed } of graph.follow(domains, DomainsChanged, now, signal))
          yield { kind: 'domains', seq, version: changed.version }
      }
      const readMap = async function* (): AsyncGenerator<ChangeEvent> {
        for await (const event of graph.follow(map, MapInvalidated, now, signal)) yield { kind: 'map', ...event }
      }
      return merged([readStatistics(), readDomains(), readMap()])
    },
    version: async (signal) => (await graph.query(versionQuery, Version, signal)).state.version,
    knowsDomain: (id, signal) => taxonomy.hasAll([id], signal),
  }
}

/** Merges streams in order of arrival; each waits until its last event is consumed. */
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
