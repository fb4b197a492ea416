import type { Hit } from './search-index.ts'

/** maximum number of equally scored hits that are sorted */
const maxEqual = 2000

/**
 * Returns the best, ties ordered by id, so that a longer result starts with a shorter one and pages fit together. @param ask - returns the `most`
 * best hits, ties in any order
 */
export async function inStableOrder(limit: number, ask: (most: number) => Promise<readonly Hit[]>): Promise<readonly Hit[]> {
  const found = await ask(limit + 1)
  const isCutAmongEquals = found.length > limit && found[limit - 1]?.score === found[limit]?.score
  const hits = isCutAmongEquals ? await ask(Math.max(maxEqual, limit)) : found
  return hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
}
