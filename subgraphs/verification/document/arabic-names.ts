import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { normalForm } from '../../../foundation/text/normal-form.ts'
import { arabicMarks, isArabic, Letters, toLatin } from './transliteration.ts'

const { consonants, latinSpellings, vowels, initialVowels } = readData(
  'subgraphs/verification/document/data/arabic-sounds.json',
  z.strictObject({
    /** Arabic letters by their sound in Latin spellings; vowels and letters that are often dropped (h, w, y, ع, ء, ة) are removed */
    consonants: Letters,
    /** the same sounds in French and English spellings of Arabic names (regular expressions); longest first, C before the result of CH */
    latinSpellings: z.array(
      z.strictObject({
        written: z
          .string()
          .min(1)
          .transform((pattern) => new RegExp(pattern, 'g')),
        sound: z.string().regex(/^[A-Z]$/, 'must be a letter'),
      }),
    ),
    /** Arabic letters without a consonant, with the Latin letters that may replace them */
    vowels: Letters,
    /** the same at the start of a name; إ is often dropped */
    initialVowels: Letters,
  }),
)

const undoubled = (text: string): string => text.replace(/(.)\1+/g, '$1')

/** Returns the words of a name without vowel signs and articles. */
function arabicWords(name: string): string[] {
  const words = normalForm(name, 'NFKC')
    .replace(arabicMarks, '')
    .split(/[\s\-<]+/)
  return words
    .map((word) => (isArabic(word) ? word.replace(/^ال(?=..)/, '') : toLatin(word).replace(/ /g, '')))
    .filter((word) => !/^(?:AL|EL|UL)?$/.test(word))
}

/** Joins articles as the L that many Latin spellings have: الأمين is AMINE, EL AMINE and LEMINE. */
export const withJoinedArticles = (name: string): string => name.replace(/(?<!\p{L})ال(?=\p{L}{2})/gu, 'ل')

const latinSounds = (word: string): string => latinSpellings.reduce((text, { written, sound }) => text.replace(written, sound), word)

/**
 * Returns the consonant skeleton of an Arabic name without everything in which spellings differ: vowels, doubled letters, h, w, y and the
 * article.
 * محمد, MOHAMED, MUHAMMAD and MOHAMMED all give MD.
 */
export function arabicSkeleton(name: string): string {
  return arabicWords(name)
    .map((word) => {
      const sounds = isArabic(word)
        ? [...word].map((letter) => consonants.get(letter) ?? '').join('')
        : latinSounds(word).replace(/[AEIOUYWH]/g, '')
      return undoubled(sounds)
    })
    .join('')
}

/**
 * Returns whether a Latin spelling has vowels only where the Arabic name allows them: long vowels are always written (أكرم is AKRAM, not
 * KARIM), and only a short one may be unwritten (حسن is HASSAN, not HUSSEIN).
 */
export function vowelsAgree(arabic: string, latin: string): boolean {
  let [pattern, last, between] = ['', '', '']
  for (const letter of arabicWords(arabic).join('')) {
    const sound = consonants.get(letter) ?? ''
    if (sound === '') between += letter
    else {
      if (sound !== last) pattern += `${vowelsOf(between, pattern === '')}${sound}(?:${anyVowels}${sound})*`
      ;[last, between] = [sound, '']
    }
  }
  // French spellings end in a silent E, West African ones in OU
  const end = between === '' ? '(?:E|OU)?' : vowelsOf(between, false)
  // linear: names are short, and every vowel is bound to a consonant
  return new RegExp(`^${pattern}${end}$`).test(undoubled(latinSounds(arabicWords(latin).join(''))))
}

const anyVowels = '[AEIOUYWH]*'
/** a U before the last consonant is long: محمود is MAHMOUD, محمد is not */
const shortVowel = '(?:[AEIO]|O?U(?!.$))?'

/** Returns the pattern of Latin vowels for the letters between two consonants, or before the first. */
function vowelsOf(letters: string, initial: boolean): string {
  if (letters === '') return initial ? '' : shortVowel
  const wanted = [...letters].map((letter, at) => {
    const first = initial && at === 0
    const spoken = (first ? initialVowels : vowels).get(letter)
    return spoken === undefined ? '' : `(?=${first ? '' : anyVowels}[${spoken}])`
  })
  return [...new Set(wanted)].join('') + anyVowels
}
