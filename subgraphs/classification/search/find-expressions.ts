import DataLoader from 'dataloader'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import type { RecentlyIndexed } from './recently-indexed.ts'

export interface ExpressionSources {
  readonly index: SearchIndex
  readonly store: AnalyticsStore<ExpressionDocument>
}

/**
 * Returns expressions by id from the index and, if missing there, from the store; one of the two may be unavailable.
 * @param onWithdrawn - receives the withdrawn ids
 * @throws {EngineUnavailable} when the store is required and unavailable
 */
export async function findExpressions(
  { index, store }: ExpressionSources,
  ids: readonly string[],
  onWithdrawn?: (id: string) => void,
): Promise<ReadonlyMap<string, ExpressionDocument>> {
  const documents = new Map<string, ExpressionDocument>()
  const indexed = await index.find(ids).catch((error: unknown) => {
    if (error instanceof EngineUnavailable) return new Map<string, string>()
    throw error
  })
  for (const [id, document] of indexed) documents.set(id, ExpressionDocument.parse(JSON.parse(document)))
  const missing = ids.filter((id) => !documents.has(id))
  for (const { id, enrichment } of missing.length === 0 ? [] : await store.findExpressions(missing, onWithdrawn))
    documents.set(id, ExpressionDocument.parse(enrichment))
  return documents
}

/** batching interval: the index finds fifty in the time of one */
const gatherMs = 20

/**
 * Batches single lookups of many callers, without a cache.
 * @returns undefined for an unknown id  @throws the error of `withdrawn` for a withdrawn one
 */
export function batchedLookups(sources: ExpressionSources, withdrawn: () => Error): DataLoader<string, ExpressionDocument | undefined> {
  return new DataLoader(
    async (ids) => {
      const gone = new Set<string>()
      const documents = await findExpressions(sources, [...new Set(ids)], (id) => gone.add(id))
      return ids.map((id) => (gone.has(id) ? withdrawn() : documents.get(id)))
    },
    { cache: false, maxBatchSize: 200, batchScheduleFn: (look) => setTimeout(look, gatherMs) },
  )
}

/**
 * Returns expressions by id from the store, with their index time from the index.
 * @throws {EngineUnavailable} when the store is unavailable
 */
export async function latestExpressions(
  { index, store }: ExpressionSources,
  recent: RecentlyIndexed,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExpressionDocument>> {
  const records = await store.findExpressions(ids)
  const stored = records.map(({ enrichment }) => ExpressionDocument.parse(enrichment))
  const latest = new Map(stored.map((document) => [document.id, document]))
  const indexTimes = await Promise.all(stored.map(({ id, revision }) => recent.of(id, revision)))
  for (const [index, document] of stored.entries()) {
    const indexedAt = indexTimes[index]
    if (indexedAt !== undefined) latest.set(document.id, { ...document, indexedAt })
  }
  const others = stored.filter(({ id }) => latest.get(id)?.indexedAt === null).map(({ id }) => id)
  const indexed = await index.find(others).catch((error: unknown) => {
    if (error instanceof EngineUnavailable) return new Map<string, string>()
    throw error
  })
  for (const text of indexed.values()) {
    const document = ExpressionDocument.parse(JSON.parse(text))
    if (latest.get(document.id)?.revision === document.revision) latest.set(document.id, document)
  }
  return latest
}
