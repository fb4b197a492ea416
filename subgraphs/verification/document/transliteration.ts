import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { normalForm } from '../../../foundation/text/normal-form.ts'

/** Letters of any script with their transliteration to A to Z. */
export const Letters = z
  .record(z.string().length(1), z.string().regex(/^[A-Z]*$/, 'must be letters from A to Z'))
  .transform((letters) => new Map(Object.entries(letters)))

/** ICAO Doc 9303 part 3, section 6. */
const { latin, widened, cyrillic, arabic } = readData(
  'subgraphs/verification/document/data/transliteration.json',
  z.strictObject({
    /** section 6 A: letters that do not decompose into letter and accent */
    latin: Letters,
    /** letters with a two-letter transliteration, for which many write the base letter */
    widened: Letters,
    /** section 6 B */
    cyrillic: Letters,
    /** section 6 C: Arabic script as in a machine-readable zone, without vowel signs */
    arabic: Letters,
  }),
)

const marks = /[\u0300-\u036f]/g
export const arabicMarks = /[\u0610-\u061a\u064b-\u065f\u0670\u0640\u200c-\u200f]/g

export const isArabic = (text: string): boolean => /\p{Script=Arabic}/u.test(text)

/** Reduces Arabic text to base letters without variants of spelling: hamzas, vowels, ى for ي, ه for ة; words separated by one blank. */
export const bareArabic = (text: string): string =>
  normalForm(text, 'NFKD')
    .replace(arabicMarks, '')
    .replace(/\u0649/g, '\u064a')
    .replace(/\u0629/g, '\u0647')
    .replace(/[^\u0621-\u064a]+/g, ' ')
    .trim()

/**
 * Transliterates a name to A-Z with single spaces, as in a machine-readable zone.
 * @param umlauts - wide: Ä becomes AE as in the standard; bare: A, as in many documents and forms
 */
export function toLatin(name: string, umlauts: 'wide' | 'bare' = 'bare'): string {
  const text = normalForm(name, 'NFC').replace(/ß/g, 'SS').toUpperCase()
  const letters = [...(isArabic(text) ? text.replace(arabicMarks, '') : text)].map((letter) => {
    const mapped = (umlauts === 'wide' ? widened.get(letter) : undefined) ?? latin.get(letter) ?? cyrillic.get(letter) ?? arabic.get(letter)
    return mapped ?? normalForm(letter, 'NFKD').replace(marks, '').toUpperCase()
  })
  return letters
    .join('')
    .replace(/['’`´ʼʻ‘]/g, '')
    .replace(/[^A-Z]+/g, ' ')
    .trim()
}

/** Converts a line of a document to A-Z, 0-9 and single spaces. */
export function latinLine(text: string): string {
  return text
    .split(/(\d+)/)
    .map((part) => (/^\d+$/.test(part) ? part : ` ${toLatin(part)} `))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}
