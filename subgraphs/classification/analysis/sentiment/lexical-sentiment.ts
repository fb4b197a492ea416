import { fold } from '../../../engines/text/fold.ts'
import { grammaticalTone, toneText } from './grammatical-sentiment.ts'
import { grammarOf } from './sentiment-grammar.ts'
import { lexiconOf } from './sentiment-lexicon.ts'
import { type LexicalTone, toneOfValues } from './sentiment-of-values.ts'

/** Words that turn what follows into its opposite, in languages of which no more grammar is known. */
const negations: Readonly<Record<string, ReadonlySet<string>>> = {
  es: new Set(['no', 'nunca', 'nadie', 'sin', 'ningun', 'ninguna']),
  pt: new Set(['nao', 'nunca', 'ninguem', 'sem', 'nenhum', 'nenhuma']),
  de: new Set(['nicht', 'kein', 'keine', 'nie', 'ohne']),
  it: new Set(['non', 'mai', 'nessuno', 'senza', 'nessuna']),
}
const strengthening = new Set(['muy', 'muito', 'sehr', 'molto'])

const reach = 3

/** What the words of a text say by themselves, with the grammar of its language as far as we know it. Undefined for a language without a lexicon. */
export function lexicalTone(text: string, lang: string): LexicalTone | undefined {
  const lexicon = lexiconOf(lang)
  const grammar = grammarOf(lang)
  if (lexicon === undefined) return undefined
  if (grammar !== undefined) return grammaticalTone(toneText(text, grammar), lexicon, grammar)
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const negates = negations[lang] ?? new Set<string>()
  const values: number[] = []
  for (const [index, word] of words.entries()) {
    if (negates.has(word)) continue
    const value = lexicon.valueOf(word)
    if (value === 0) continue
    const before = words.slice(Math.max(0, index - reach), index)
    const strong = before.slice(-1).some((other) => strengthening.has(other)) ? 1.3 : 1
    // what is denied is weaker than its opposite: "not good" is less bad than "bad"
    values.push(value * strong * (before.some((other) => negates.has(other)) ? -0.7 : 1))
  }
  return { ...toneOfValues(values), rest: text, left: 1, matterOfFact: false }
}
