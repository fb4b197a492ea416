import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'

/** A table: a letter of any script, and what stands for it in A to Z. */
export const Letters = z
  .record(z.string().length(1), z.string().regex(/^[A-Z]*$/, 'must be letters from A to Z'))
  .transform((letters) => new Map(Object.entries(letters)))

/** ICAO Doc 9303 part 3, section 6. */
const { latin, widened, cyrillic, arabic } = readData(
  'subgraphs/verification/document/data/transliteration.json',
  z.strictObject({
    /** section 6 A: letters that do not fall apart into a letter and an accent */
    latin: Letters,
    /** letters for which the standard names two letters, while many write only the bare one */
    widened: Letters,
    /** section 6 B */
    cyrillic: Letters,
    /** section 6 C: Arabic script as it appears in a machine-readable zone; vowel signs are not written */
    arabic: Letters,
  }),
)

const marks = /[\u0300-\u036f]/g
export const arabicMarks = /[\u0610-\u061a\u064b-\u065f\u0670\u0640\u200c-\u200f]/g

export const isArabic = (text: string): boolean => /\p{Script=Arabic}/u.test(text)

/** Arabic letters alone, without the signs and forms that spellings disagree about: hamzas, vowels, ى for ي, ه for ة. Words are a blank apart. */
export const bareArabic = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(arabicMarks, '')
    .replace(/\u0649/g, '\u064a')
    .replace(/\u0629/g, '\u0647')
    .replace(/[^\u0621-\u064a]+/g, ' ')
    .trim()

/**
 * A name in the letters A-Z with single spaces, as a machine-readable zone would write it.
 * @param umlauts - wide: Ä becomes AE as the standard names it; bare: A, as many documents and forms do
 */
export function toLatin(name: string, umlauts: 'wide' | 'bare' = 'bare'): string {
  const text = name.normalize('NFC').replace(/ß/g, 'SS').toUpperCase()
  const letters = [...(isArabic(text) ? text.replace(arabicMarks, '') : text)].map((letter) => {
    const known = (umlauts === 'wide' ? widened.get(letter) : undefined) ?? latin.get(letter) ?? cyrillic.get(letter) ?? arabic.get(letter)
    return known ?? letter.normalize('NFKD').replace(marks, '').toUpperCase()
  })
  return letters
    .join('')
    .replace(/['’`´ʼʻ‘]/g, '')
    .replace(/[^A-Z]+/g, ' ')
    .trim()
}

/** A line of a document in A-Z, 0-9 and single spaces. */
export function latinLine(text: string): string {
  return text
    .split(/(\d+)/)
    .map((part) => (/^\d+$/.test(part) ? part : ` ${toLatin(part)} `))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}
