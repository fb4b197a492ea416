import type { IndexDrift } from '../../../engines/search-index/drift-report.ts'
import type { SearchIndex } from '../../../engines/search-index/search-index.ts'
import { type ComparedEngines, type Comparison, compareIndex, fillIndex } from './compare-index.ts'

/**
 * Rebuilds the search index from the analytics store while the current one answers. New expressions go to the current index, so it is
 * compared before the new one replaces it and once more afterwards.
 * @throws {EngineUnavailable} the current index stays in use
 */
export async function rebuildIndex(
  engines: ComparedEngines & { readonly index: SearchIndex },
  comparison: Omit<Comparison, 'repair'>,
  onFilled: (filled: number) => void,
): Promise<IndexDrift> {
  // expressions that only the current index has would be lost
  await compareIndex(engines, { ...comparison, repair: true })
  engines.mayWrite()
  const next = await engines.index.rebuild()
  try {
    const making = { ...engines, index: next }
    await fillIndex(making, comparison.signal, onFilled)
    await compareIndex(making, { ...comparison, repair: true })
    engines.mayWrite()
    await next.publish()
  } catch (error) {
    await next.discard().catch(() => undefined)
    throw error
  }
  return compareIndex(engines, { ...comparison, repair: true })
}
