import type { Hit } from './search-index.ts'

/** where more are equally good than were asked for, the first of so many are taken */
const maxEqual = 2000

/**
 * The best first, equally good ones in the order of their ids: a longer answer begins as a shorter one, so that pages of a list fit together.
 * @param ask - for so many of the best, the best first, equally good ones in any order
 */
export async function inStableOrder(limit: number, ask: (most: number) => Promise<readonly Hit[]>): Promise<readonly Hit[]> {
  const found = await ask(limit + 1)
  const isCutAmongEquals = found.length > limit && found[limit - 1]?.score === found[limit]?.score
  const hits = isCutAmongEquals ? await ask(Math.max(maxEqual, limit)) : found
  return hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
}
