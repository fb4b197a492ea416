import type { AnalyticsStore } from '../engines/analytics-store/analytics-store.ts'
import type { SearchIndex } from '../engines/search-index/search-index.ts'
import { EngineUnavailable } from '../foundation/fault.ts'
import { ExpressionDocument } from './expression-document.ts'

export interface ExpressionSources {
  readonly index: SearchIndex
  readonly store: AnalyticsStore<ExpressionDocument>
}

/**
 * Expressions by id: from the index, and what it does not have from the store; one of the two may be away.
 * @param onWithdrawn - is told of those that were withdrawn
 * @throws {EngineUnavailable} when the store is needed and away
 */
export async function findExpressions(
  { index, store }: ExpressionSources,
  ids: readonly string[],
  onWithdrawn?: (id: string) => void,
): Promise<ReadonlyMap<string, ExpressionDocument>> {
  const found = new Map<string, ExpressionDocument>()
  const indexed = await index.find(ids).catch((error: unknown) => {
    if (error instanceof EngineUnavailable) return new Map<string, string>()
    throw error
  })
  for (const [id, document] of indexed) found.set(id, ExpressionDocument.parse(JSON.parse(document)))
  const missing = ids.filter((id) => !found.has(id))
  for (const { id, enrichment } of missing.length === 0 ? [] : await store.findExpressions(missing, onWithdrawn))
    found.set(id, ExpressionDocument.parse(enrichment))
  return found
}

/**
 * Expressions by id as the store has them, with what only the index knows: since when it has them.
 * @throws {EngineUnavailable} when the store is away
 */
export async function latestExpressions(
  { index, store }: ExpressionSources,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExpressionDocument>> {
  const [records, indexed] = await Promise.all([
    store.findExpressions(ids),
    index.find(ids).catch((error: unknown) => {
      if (error instanceof EngineUnavailable) return new Map<string, string>()
      throw error
    }),
  ])
  return new Map(
    records.map(({ id, enrichment }) => {
      const stored = ExpressionDocument.parse(enrichment)
      const text = indexed.get(id)
      const found = text === undefined ? undefined : ExpressionDocument.parse(JSON.parse(text))
      return [id, found?.revision === stored.revision ? found : stored]
    }),
  )
}
