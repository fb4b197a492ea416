import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  type AnalyticsStore,
  analyticsTopic,
  type ExpressionRecord,
  type TaxonomyDomain,
  votesTopic,
} from '../../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { postgresCountableExpressions } from '../../../engines/analytics-store/postgres-countable-expressions.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { createExplorationWorker } from '../../../subgraphs/exploration/index.ts'
import { RollUps } from '../../../subgraphs/exploration/queries/roll-up-reader.ts'
import { readState } from '../../../subgraphs/exploration/roll-ups/roll-up-state.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { randomFrom } from '../../support/samples/random.ts'

export const noon = Date.parse('2026-11-21T12:00:00.000Z')

const named = (id: string, parentId: string | null, position: number): TaxonomyDomain => ({
  id,
  parentId,
  slug: id.replace(/.*\//, ''),
  position,
  labels: { en: id },
  descriptions: {},
  examples: {},
  words: {},
})
export const taxonomy: readonly TaxonomyDomain[] = ['health', 'energy', 'transport'].flatMap((id, index) => [
  named(id, null, index),
  ...['one', 'two'].map((slug, at) => named(`${id}/${slug}`, id, at)),
])

export function expressionOf(members: Partial<ExpressionRecord>): ExpressionRecord {
  const at = members.createdAt ?? new Date(noon)
  return {
    id: randomUUID(),
    source: 'test',
    externalId: null,
    text: 'a text',
    lang: 'fr',
    author: null,
    unverifiedAuthor: null,
    domain: null,
    subDomain: null,
    sentiment: null,
    sentimentScore: null,
    position: null,
    createdAt: at,
    receivedAt: at,
    enrichment: {},
    embedding: null,
    embeddingModel: null,
    ...members,
  }
}

/** A generator of random numbers, reproducible by its seed. */
export function randomOf(seed: number) {
  const next = randomFrom(seed)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)] ?? expect.fail('an empty list')
  return { next, pick, below: (limit: number) => Math.floor(next() * limit), chance: (part: number) => next() < part }
}

export type ExplorationStore = Awaited<ReturnType<typeof openExploring>>

/** An analytics store with roll-ups on its own database. */
export async function openExploring(timezone = 'UTC', engine = embeddedEngine) {
  const fresh = await openMigrated(engine)
  const { database } = fresh
  const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => fresh.url }, log: silentLog, window: 5 })
  await feed.start(AbortSignal.timeout(60_000))
  const store: AnalyticsStore = postgresAnalyticsStore({ database, feed })
  await store.publishTaxonomy({ domains: taxonomy, author: 'tests', note: 'first' })
  const engines = { database, feed, log: silentLog, expressions: postgresCountableExpressions }
  const workers: Part[] = []
  return {
    database,
    url: fresh.url,
    feed,
    store,
    engines,
    rollUps: new RollUps(database, { now: () => noon }, timezone),
    async startWorker(): Promise<Part> {
      const worker = createExplorationWorker(engines, { timezone })
      workers.push(worker)
      await worker.start(AbortSignal.timeout(60_000))
      return worker
    },
    /** Waits until all changes are counted. */
    async settled(): Promise<void> {
      const { signal } = new AbortController()
      const last = { position: await feed.position(analyticsTopic, signal), votesPosition: await feed.position(votesTopic, signal) }
      for (const until = Date.now() + 60_000; ; await sleep(20)) {
        const state = await readState(database.orm)
        if (state !== undefined && state.position >= last.position && state.votesPosition >= last.votesPosition) return
        if (Date.now() > until) {
          const { position, votesPosition } = state ?? {}
          expect.fail(`the roll-ups are at ${JSON.stringify({ position, votesPosition })}, the logs are at ${JSON.stringify(last)}`)
        }
      }
    },
    async stopWorkers(): Promise<void> {
      for (const worker of workers.splice(0)) await worker.stop()
    },
    /** Prunes the change log, as after a long time without a follower. */
    async forgetLog(): Promise<void> {
      await database.pool.query('delete from event_cursor')
      await feed.prune()
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker.stop()
      await feed.stop()
      await fresh[Symbol.asyncDispose]()
    },
  }
}
