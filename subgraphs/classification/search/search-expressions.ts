import type { Hit, SearchFilter, SearchIndex } from '../../../engines/search-index/search-index.ts'
import type { SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { NotFound } from '../../../foundation/fault.ts'
import { ExpressionDocument } from '../expression/expression-document.ts'
import { type ExpressionSources, findExpressions } from './find-expressions.ts'

export type SearchMode = 'text' | 'semantic' | 'hybrid'

export interface ExpressionMatch {
  readonly document: ExpressionDocument
  readonly score: number
}

/** maximum of results of each method in a hybrid search */
const deepest = 200
/** Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion", SIGIR 2009 */
const fusion = 60

/** Searches by words, by similarity of vectors, or by both with fused ranks. */
export async function searchExpressions(
  engines: { readonly index: SearchIndex; readonly encoder: SentenceEncoder },
  request: { readonly text: string; readonly mode: SearchMode; readonly filter: SearchFilter; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly ExpressionMatch[]> {
  const { index, encoder } = engines
  const { text, mode, filter, limit } = request
  const byWords = (most: number): Promise<readonly Hit[]> => index.match(text, { filter, limit: most })
  const byVector = async (most: number): Promise<readonly Hit[]> =>
    index.near(await encoder.encode(text, signal, 'query'), { filter, limit: most })
  if (mode === 'text') return (await byWords(limit)).map(foundOf)
  if (mode === 'semantic') return (await byVector(limit)).map(foundOf)
  const lists = await Promise.all([byWords(deepest), byVector(deepest)])
  const fused = new Map<string, Hit>()
  for (const list of lists)
    for (const [rank, hit] of list.entries())
      fused.set(hit.id, { ...hit, score: (fused.get(hit.id)?.score ?? 0) + 1 / (fusion + rank + 1) })
  return [...fused.values()]
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(foundOf)
}

/**
 * Returns the expressions nearest to an expression, which need not be indexed yet, without itself.
 * @throws {NotFound} for an unknown expression
 */
export async function similarExpressions(
  engines: ExpressionSources & { readonly encoder: SentenceEncoder },
  id: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly ExpressionMatch[]> {
  const document = (await findExpressions(engines, [id])).get(id)
  if (document === undefined) throw new NotFound('Expression not found')
  const hits = await engines.index.near(await engines.encoder.encode(document.text, signal), { filter: {}, limit: limit + 1 })
  return hits
    .filter((hit) => hit.id !== id)
    .slice(0, limit)
    .map(foundOf)
}

const foundOf = ({ document, score }: Hit): ExpressionMatch => ({ document: ExpressionDocument.parse(JSON.parse(document)), score })
