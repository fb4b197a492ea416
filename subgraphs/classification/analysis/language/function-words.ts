import { z } from 'zod'
import { readData } from '../../../../foundation/files/data-file.ts'
import { normalForm } from '../../../../foundation/text/normal-form.ts'

/**
 * Function words of languages in Latin script with little training data, collected by us. Words that languages share (`na`, `ya`, `ba`) are
 * listed for each.
 */
const functionWords = Object.entries(
  readData('subgraphs/classification/data/function-words.json', z.record(z.string(), z.array(z.string().min(1)))),
).map(([lang, words]) => [lang, new Set(words.map((word) => normalForm(word, 'NFC')))] as const)

/**
 * Returns the language with the largest share of function words and that share; undefined unless the first is clearly ahead of the second.
 */
export function byFunctionWords(text: string): { readonly code: string; readonly share: number } | undefined {
  const words = normalForm(text.toLowerCase(), 'NFC').match(/[\p{L}\p{M}]+/gu) ?? []
  const [first, second] = functionWords
    .map(([code, wordsOfLanguage]) => ({ code, hits: words.filter((word) => wordsOfLanguage.has(word)).length }))
    .sort((a, b) => b.hits - a.hits)
  if (first === undefined || first.hits < 2 || first.hits - (second?.hits ?? 0) < 1) return undefined
  return { code: first.code, share: first.hits / words.length }
}
