import { fold } from '../engines/models/text-classifier-features.ts'
import { lexiconOf } from './sentiment-lexicon.ts'

export interface SentimentView {
  readonly label: 'positive' | 'neutral' | 'negative'
  /** -1 to 1 */
  readonly score: number
  /** 0 to 1 */
  readonly confidence: number
}

/** Words that turn what follows (in French and Arabic also what the verb says before `pas`) into its opposite. */
const negations: Readonly<Record<string, ReadonlySet<string>>> = {
  fr: new Set(['pas', 'jamais', 'aucun', 'aucune', 'sans', 'ni', 'rien']),
  en: new Set(['not', 'no', 'never', 'without', 'nobody', 'nothing', 't', 'nor', 'cannot']),
  ar: new Set(['لا', 'ليس', 'ليست', 'لم', 'لن', 'بدون', 'بلا', 'غير', 'ما']),
  es: new Set(['no', 'nunca', 'nadie', 'sin', 'ningun', 'ninguna']),
  pt: new Set(['nao', 'nunca', 'ninguem', 'sem', 'nenhum', 'nenhuma']),
  de: new Set(['nicht', 'kein', 'keine', 'nie', 'ohne']),
  it: new Set(['non', 'mai', 'nessuno', 'senza', 'nessuna']),
}
/** What is asked for is not there: a complaint, in polite words. */
const wishes: Readonly<Record<string, RegExp>> = {
  fr: /\b(?:il (?:faut|faudrait|manque)|nous (?:voulons|demandons|attendons)|on (?:veut|demande|attend)|il n[’']y a (?:pas|plus|aucun)|n[’'](?:a|ont) (?:pas|plus|toujours pas))\b/u,
  en: /\b(?:we (?:need|want|demand)|there (?:is|are) no|have not received|has not|is needed|lacks?)\b/u,
  ar: /(?:نطالب|نريد|نحتاج|لا يوجد|لا توجد|ليس هناك|لم يعد|لم نتلق)/u,
}
const strengthening = new Set([
  'tres',
  'trop',
  'vraiment',
  'tellement',
  'very',
  'really',
  'so',
  'too',
  'extremely',
  'جدا',
  'muy',
  'muito',
  'sehr',
  'molto',
])

const reach = 3
/** sums are squeezed as VADER does (Hutto and Gilbert, ICWSM 2014): s / sqrt(s² + 15) */
const squeeze = 15
const least = 0.2

/** The tone of a text by its words, with negation. Undefined for a language without a lexicon: "unknown" is honest, "neutral" would not be. */
export function sentimentOf(text: string, lang: string): SentimentView | undefined {
  const lexicon = lexiconOf(lang)
  if (lexicon === undefined) return undefined
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const negates = negations[lang] ?? new Set<string>()
  let sum = 0
  let said = 0
  for (const [index, word] of words.entries()) {
    if (negates.has(word)) continue
    const value = lexicon.valueOf(word) || lexicon.valueOf(word.replace(/^(?:وال|بال|ال|و|ب|لل|ل)(?=\p{L}{3})/u, ''))
    if (value === 0) continue
    const before = words.slice(Math.max(0, index - reach), index)
    const strong = before.slice(-1).some((other) => strengthening.has(other)) ? 1.3 : 1
    // what is denied is weaker than its opposite: "not good" is less bad than "bad"
    sum += value * strong * (before.some((other) => negates.has(other)) ? -0.7 : 1)
    said += Math.abs(value)
  }
  if (wishes[lang]?.test(text.toLowerCase())) {
    sum -= 1.5
    said += 1.5
  }
  const score = sum / Math.sqrt(sum * sum + squeeze)
  const label = score >= least ? 'positive' : score <= -least ? 'negative' : 'neutral'
  const agreement = said === 0 ? 0.4 : Math.abs(sum) / said
  const confidence =
    label === 'neutral' ? (said === 0 ? 0.4 : 1 - agreement / 2) : Math.min(1, 0.4 + 0.3 * agreement + 0.3 * Math.abs(score))
  return { label, score: round(score), confidence: round(confidence) }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
