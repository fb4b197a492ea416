import { fold } from '../engines/models/text-classifier-features.ts'
import { grammaticalTone, toneText } from './grammatical-tone.ts'
import { lexiconOf } from './sentiment-lexicon.ts'
import { grammarOf } from './tone-grammar.ts'
import { type LexicalTone, toneOfValues } from './tone-of-values.ts'

/** Words that turn what follows into its opposite, in languages of which no more grammar is known. */
const negations: Readonly<Record<string, ReadonlySet<string>>> = {
  ar: new Set(
    // written Arabic, then what is said in the Maghreb, Egypt and the Levant
    'لا ليس ليست لست لسنا ليسوا لم لن بدون دون بلا غير عدم ما ماشي مش مو موش مافي مفيش ماكانش'.split(' '),
  ),
  es: new Set(['no', 'nunca', 'nadie', 'sin', 'ningun', 'ninguna']),
  pt: new Set(['nao', 'nunca', 'ninguem', 'sem', 'nenhum', 'nenhuma']),
  de: new Set(['nicht', 'kein', 'keine', 'nie', 'ohne']),
  it: new Set(['non', 'mai', 'nessuno', 'senza', 'nessuna']),
}
/** What is asked for is not there: a complaint, in polite words. */
const wishes: Readonly<Record<string, RegExp>> = {
  ar: /(?:نطالب|نريد|نحتاج|لا يوجد|لا توجد|ليس هناك|لم يعد|لم نتلق)/u,
}
const strengthening = new Set(['جدا', 'muy', 'muito', 'sehr', 'molto'])

/** Arabic article, conjunctions and prepositions that are written together with a word */
const clitics = /^(?:[وف]?(?:بال|كال|لل|ال)|[وفبلك])(?=\p{L}{3})/u

const reach = 3
/** What the words of a text say by themselves, with the grammar of its language as far as we know it. Undefined for a language without a lexicon. */
export function lexicalTone(text: string, lang: string): LexicalTone | undefined {
  const lexicon = lexiconOf(lang)
  const grammar = grammarOf(lang)
  if (lexicon === undefined) return undefined
  if (grammar !== undefined) return grammaticalTone(toneText(text, grammar), lexicon, grammar)
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const negates = negations[lang] ?? new Set<string>()
  const isNegation = (word: string): boolean => negates.has(word) || (lang === 'ar' && negates.has(word.replace(/^[وف]/u, '')))
  const values: number[] = []
  for (const [index, word] of words.entries()) {
    if (isNegation(word)) continue
    const value = lexicon.valueOf(word) || lexicon.valueOf(word.replace(clitics, ''))
    if (value === 0) continue
    const before = words.slice(Math.max(0, index - reach), index)
    const strong = before.slice(-1).some((other) => strengthening.has(other)) ? 1.3 : 1
    // what is denied is weaker than its opposite: "not good" is less bad than "bad"
    values.push(value * strong * (before.some(isNegation) ? -0.7 : 1))
  }
  if (wishes[lang]?.test(text.toLowerCase())) values.push(-1.5)
  return { ...toneOfValues(values), rest: text, matterOfFact: false }
}
