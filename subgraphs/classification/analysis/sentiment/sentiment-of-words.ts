import { z } from 'zod'
import { readData } from '../../../../foundation/files/data-file.ts'
import { fold } from '../../../../foundation/text/fold.ts'
import { grammarOf } from './grammar.ts'
import { lexiconOf } from './lexicon.ts'
import { readSentence, sentimentOfSentence } from './sentiment-of-sentence.ts'
import { type LexicalSentiment, sentimentOfValues } from './sentiment-of-values.ts'

const Words = z.array(z.string().min(1)).transform((words): ReadonlySet<string> => new Set(words.map(fold)))
/** for languages without a grammar: words that negate what follows, and intensifiers */
const { negations, strengthening } = readData(
  'subgraphs/classification/data/sentiment/simple-grammars.json',
  z.strictObject({ negations: z.record(z.string(), Words), strengthening: Words }),
)

const reach = 3

/** Computes the lexical sentiment with the grammar of the language, if there is one; undefined for a language without a lexicon. */
export function lexicalSentiment(text: string, lang: string): LexicalSentiment | undefined {
  const lexicon = lexiconOf(lang)
  const grammar = grammarOf(lang)
  if (lexicon === undefined) return undefined
  if (grammar !== undefined) return sentimentOfSentence(readSentence(text, grammar), lexicon, grammar)
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const negates = negations[lang] ?? new Set<string>()
  const values: number[] = []
  for (const [index, word] of words.entries()) {
    if (negates.has(word)) continue
    const value = lexicon.valueOf(word)
    if (value === 0) continue
    const before = words.slice(Math.max(0, index - reach), index)
    const strong = before.slice(-1).some((other) => strengthening.has(other)) ? 1.3 : 1
    // a negation is weaker than the opposite: "not good" is less bad than "bad"
    values.push(value * strong * (before.some((other) => negates.has(other)) ? -0.7 : 1))
  }
  return { ...sentimentOfValues(values), rest: text, unsettled: 1, matterOfFact: false }
}
