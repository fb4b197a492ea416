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
 * @throws {EngineUnavailable} when the store is needed and away
 */
export async function findExpressions(
  { index, store }: ExpressionSources,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExpressionDocument>> {
  const found = new Map<string, ExpressionDocument>()
  const indexed = await index.find(ids).catch((error: unknown) => {
    if (error instanceof EngineUnavailable) return new Map<string, string>()
    throw error
  })
  for (const [id, document] of indexed) found.set(id, ExpressionDocument.parse(JSON.parse(document)))
  const missing = ids.filter((id) => !found.has(id))
  for (const { id, enrichment } of missing.length === 0 ? [] : await store.findExpressions(missing))
    found.set(id, ExpressionDocument.parse(enrichment))
  return found
}
