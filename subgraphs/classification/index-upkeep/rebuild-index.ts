import type { IndexDrift } from '../../../engines/search-index/drift-report.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { type ComparedEngines, type Comparison, compareIndex, fillIndex } from './compare-index.ts'

/**
 * Builds the search index anew from the analytics store, beside the one that answers, beside a running platform. What comes in
 * meanwhile goes into the old one: it is compared before the new one takes its place and once more after.
 * @throws {EngineUnavailable} then the old one goes on answering
 */
export async function rebuildIndex(
  engines: ComparedEngines & { readonly index: SearchIndex },
  comparison: Omit<Comparison, 'mend'>,
  onFilled: (filled: number) => void,
): Promise<IndexDrift> {
  // what only the old one holds would be gone with it
  await compareIndex(engines, { ...comparison, mend: true })
  engines.mayWrite()
  const next = await engines.index.rebuild()
  try {
    const making = { ...engines, index: next }
    await fillIndex(making, comparison.signal, onFilled)
    await compareIndex(making, { ...comparison, mend: true })
    engines.mayWrite()
    await next.publish()
  } catch (error) {
    await next.discard().catch(() => undefined)
    throw error
  }
  return compareIndex(engines, { ...comparison, mend: true })
}
