import { eld } from 'eld/small'
import { francAll } from 'franc'
import { byFunctionWords } from './function-words.ts'

export interface DetectedLanguage {
  /** ISO 639-1, or `und` when the evidence is weak */
  readonly code: string
  /** 0 to 1 */
  readonly confidence: number
}

/** franc's names of the supported languages (ISO 639-3) */
const franc3: Readonly<Record<string, string>> = {
  fra: 'fr',
  eng: 'en',
  arb: 'ar',
  spa: 'es',
  por: 'pt',
  swh: 'sw',
  wol: 'wo',
  hau: 'ha',
  bam: 'bm',
  lin: 'ln',
  amh: 'am',
  deu: 'de',
  ita: 'it',
  nld: 'nl',
  tur: 'tr',
  cmn: 'zh',
  rus: 'ru',
  hin: 'hi',
}
/** languages that only franc detects */
const african = new Set(['sw', 'wo', 'ha', 'bm', 'ln'])
const eldLanguages = ['fr', 'en', 'ar', 'es', 'pt', 'de', 'it', 'nl', 'tr', 'zh', 'ru', 'hi', 'am']
/** texts in languages that eld knows score above this; African ones in Latin script seldom do (measured medians: 0.82 and 0.44) */
const eldKnows = 0.6
/** above this score eld is right in 926 of 926 test sentences, so franc is not consulted */
const eldIsSure = 0.75
/**
 * minimum share of function words of an African language that decides below eld's threshold; texts that mix in French keep their main
 * language
 */
const minShare = 0.3
/** added to the confidence when the second detector agrees */
const agreement = 0.15
const minEldConfidence = 0.25
const minLetters = 3

let prepared = false
/** The language subset is global state of the library: it is set once, at the first text. */
function detector(): typeof eld {
  if (!prepared) eld.setLanguageSubset(eldLanguages)
  prepared = true
  return eld
}

/**
 * Detects the language of a text with two detectors: eld is more accurate on the languages that it knows, franc also knows Swahili, Wolof,
 * Hausa, Bambara and Lingala. Placeholders of removed personal data are ignored.
 */
export function detectLanguage(text: string): DetectedLanguage {
  const words = text.replace(/\[(?:email|iban|national_id|payment_card|phone)\]|https?:\/\/\S+/g, ' ')
  const letters = words.match(/\p{L}/gu)?.length ?? 0
  if (letters < minLetters) return { code: 'und', confidence: 0 }
  const { language, getScores } = detector().detect(words)
  const eldScore = language === '' ? 0 : (getScores()[language] ?? 0)
  if (eldScore >= eldIsSure) return { code: language, confidence: round(Math.min(1, eldScore + agreement)) }
  const [first, second] = francAll(words, { minLength: minLetters, only: Object.keys(franc3) })
  const francLanguage = franc3[first?.[0] ?? '']
  const small = byFunctionWords(words)
  if (small !== undefined && small.share >= minShare) return { code: small.code, confidence: round(Math.min(0.95, 0.5 + small.share / 2)) }
  if (francLanguage !== undefined && african.has(francLanguage) && eldScore < eldKnows) {
    const margin = (first?.[1] ?? 0) - (second?.[1] ?? 0)
    // franc's best score is always 1: the margin to the second is its confidence
    return letters < 12 && margin < 0.02
      ? { code: 'und', confidence: round(margin) }
      : { code: francLanguage, confidence: round(Math.min(0.95, 0.5 + 3 * margin)) }
  }
  if (language === '' || eldScore < minEldConfidence) return { code: 'und', confidence: round(eldScore) }
  return { code: language, confidence: round(Math.min(1, eldScore + (francLanguage === language ? agreement : 0))) }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
