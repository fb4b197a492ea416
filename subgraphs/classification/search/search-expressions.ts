import type { Hit, SearchFilter, SearchIndex } from '../../../engines/search-index/search-index.ts'
import type { SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { NotFound } from '../../../foundation/fault.ts'
import { type ExpressionSources, findExpressions } from './find-expressions.ts'

export type SearchMode = 'text' | 'semantic' | 'hybrid'

/** maximum number of results that can be paged through */
export const maxResults = 1000
/** maximum of results of each method in a hybrid search */
const deepest = 200
/** Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion", SIGIR 2009 */
const fusion = 60

/** Ranks expressions by words, by similarity of vectors, or by both with fused ranks; best first, at most 1,000. */
export async function rankExpressions(
  engines: { readonly index: SearchIndex; readonly encoder: SentenceEncoder },
  request: { readonly text: string; readonly mode: SearchMode; readonly filter: SearchFilter },
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const { index, encoder } = engines
  const { text, mode, filter } = request
  const byWords = (limit: number): Promise<readonly Hit[]> => index.match(text, { filter, limit })
  const byVector = async (limit: number): Promise<readonly Hit[]> =>
    index.near(await encoder.encode(text, signal, 'query'), { filter, limit })
  if (mode === 'text') return byWords(maxResults)
  if (mode === 'semantic') return byVector(maxResults)
  const lists = await Promise.all([byWords(deepest), byVector(deepest)])
  const fused = new Map<string, number>()
  for (const list of lists) for (const [rank, { id }] of list.entries()) fused.set(id, (fused.get(id) ?? 0) + 1 / (fusion + rank + 1))
  return [...fused].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

/**
 * Ranks the expressions nearest to an expression, which need not be indexed yet, without itself; at most 1,000.
 * @throws {NotFound} for an unknown expression
 */
export async function rankSimilar(
  engines: ExpressionSources & { readonly encoder: SentenceEncoder },
  id: string,
  signal: AbortSignal,
): Promise<readonly Hit[]> {
  const document = (await findExpressions(engines, [id])).get(id)
  if (document === undefined) throw new NotFound('Expression not found')
  const hits = await engines.index.near(await engines.encoder.encode(document.text, signal), { filter: {}, limit: maxResults + 1 })
  return hits.filter((hit) => hit.id !== id).slice(0, maxResults)
}
