import { z } from 'zod'
import { readData } from '../../../../foundation/files/data-file.ts'

/**
 * Small words that every sentence is held together by, of the languages that are written with Latin letters and have little text for
 * statistics to learn from. Of our own gathering; words that neighbours share (`na`, `ya`, `ba`) are listed for each that has them.
 */
const functionWords = Object.entries(
  readData('subgraphs/classification/data/function-words.json', z.record(z.string(), z.array(z.string().min(1)))),
).map(([lang, words]) => [lang, new Set(words.map((word) => word.normalize('NFC')))] as const)

/** The language whose small words make up most of a text, and which share of its words they are; the first is clearly ahead of the second or there is none. */
export function byFunctionWords(text: string): { readonly code: string; readonly share: number } | undefined {
  const words =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}]+/gu) ?? []
  const [first, second] = functionWords
    .map(([code, known]) => ({ code, hits: words.filter((word) => known.has(word)).length }))
    .sort((a, b) => b.hits - a.hits)
  if (first === undefined || first.hits < 2 || first.hits - (second?.hits ?? 0) < 1) return undefined
  return { code: first.code, share: first.hits / words.length }
}
