import { fold } from '../engines/models/text-classifier-features.ts'
import type { TextClassifier } from '../engines/models/text-classifier-model.ts'
import { lexiconOf } from './sentiment-lexicon.ts'
import { toneLanguages } from './tone-model.ts'

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

/** Arabic article, conjunctions and prepositions that are written together with a word */
const clitics = /^(?:[وف]?(?:بال|كال|لل|ال)|[وفبلك])(?=\p{L}{3})/u

const reach = 3
/** sums are squeezed as VADER does (Hutto and Gilbert, ICWSM 2014): s / sqrt(s² + 15) */
const squeeze = 15
const least = 0.2
const labels = ['negative', 'neutral', 'positive'] as const
/** how much the lexicon adds to what was learnt (in logits), and what makes the probabilities say how often they are right: found by leaving out parts of our own examples */
const lexiconWeight = 6
const temperature = 1.2

interface LexicalTone {
  /** -1 to 1 */
  readonly score: number
  /** 0 to 1: how much the words that say something agree */
  readonly agreement: number
  /** whether any does */
  readonly speaks: boolean
}

/**
 * The tone of a text: by what a model has learnt of whole sentences and by the words of a lexicon, with negation. Undefined for a language
 * of which neither knows anything: "unknown" is honest, "neutral" would not be.
 * @param model - probabilities of positive, neutral and negative
 */
export async function sentimentOf(text: string, lang: string, model: Pick<TextClassifier, 'classify'>): Promise<SentimentView | undefined> {
  const lexical = lexicalTone(text, lang)
  if (!toneLanguages.has(lang)) return lexical && byWords(lexical)
  const learnt = await model.classify(text)
  if (learnt.size === 0) return { label: 'neutral', score: 0, confidence: 0 }
  const score = lexical?.score ?? 0
  const weigh = (label: SentimentView['label'], shift: number): number =>
    Math.exp((Math.log(Math.max(learnt.get(label) ?? 0, 1e-6)) + lexiconWeight * Math.max(0, shift)) / temperature)
  const weights = { positive: weigh('positive', score), neutral: weigh('neutral', 0), negative: weigh('negative', -score) }
  const sum = weights.positive + weights.neutral + weights.negative
  const label = labels.reduce((best, each) => (weights[each] > weights[best] ? each : best))
  return { label, score: round((weights.positive - weights.negative) / sum), confidence: round(weights[label] / sum) }
}

function byWords({ score, agreement, speaks }: LexicalTone): SentimentView {
  const label = score >= least ? 'positive' : score <= -least ? 'negative' : 'neutral'
  const sure = Math.min(1, 0.4 + 0.3 * agreement + 0.3 * Math.abs(score))
  return { label, score: round(score), confidence: round(label !== 'neutral' ? sure : speaks ? 1 - agreement / 2 : 0.4) }
}

function lexicalTone(text: string, lang: string): LexicalTone | undefined {
  const lexicon = lexiconOf(lang)
  if (lexicon === undefined) return undefined
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const negates = negations[lang] ?? new Set<string>()
  const isNegation = (word: string): boolean => negates.has(word) || (lang === 'ar' && negates.has(word.replace(/^[وف]/u, '')))
  let sum = 0
  let said = 0
  for (const [index, word] of words.entries()) {
    if (isNegation(word)) continue
    const value = lexicon.valueOf(word) || lexicon.valueOf(word.replace(clitics, ''))
    if (value === 0) continue
    const before = words.slice(Math.max(0, index - reach), index)
    const strong = before.slice(-1).some((other) => strengthening.has(other)) ? 1.3 : 1
    // what is denied is weaker than its opposite: "not good" is less bad than "bad"
    sum += value * strong * (before.some(isNegation) ? -0.7 : 1)
    said += Math.abs(value)
  }
  if (wishes[lang]?.test(text.toLowerCase())) {
    sum -= 1.5
    said += 1.5
  }
  return { score: sum / Math.sqrt(sum * sum + squeeze), agreement: said === 0 ? 0 : Math.abs(sum) / said, speaks: said > 0 }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
