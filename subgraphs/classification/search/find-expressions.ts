import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { EngineUnavailable } from '../../../foundation/fault.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import type { RecentIndexTimes } from './recently-indexed.ts'

export interface ExpressionSources {
  readonly index: SearchIndex
  readonly store: AnalyticsStore<ExpressionDocument>
}

/**
 * Returns expressions by id from the index and, if missing there, from the store; one of the two may be unavailable.
 * @throws {EngineUnavailable} when the store is required and unavailable
 */
export async function findExpressions(
  { index, store }: ExpressionSources,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExpressionDocument>> {
  const documents = new Map<string, ExpressionDocument>()
  const indexed = await index.find(ids).catch((error: unknown) => {
    if (error instanceof EngineUnavailable) return new Map<string, string>()
    throw error
  })
  for (const [id, document] of indexed) documents.set(id, ExpressionDocument.parse(JSON.parse(document)))
  const missing = ids.filter((id) => !documents.has(id))
  for (const { id, enrichment } of missing.length === 0 ? [] : await store.findExpressions(missing))
    documents.set(id, ExpressionDocument.parse(enrichment))
  return documents
}

/**
 * Returns expressions by id from the store, with their index time from the index.
 * @throws {EngineUnavailable} when the store is unavailable
 */
export async function latestExpressions(
  { index, store }: ExpressionSources,
  recent: RecentIndexTimes,
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
