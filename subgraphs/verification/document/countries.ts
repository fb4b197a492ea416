import countries from 'i18n-iso-countries'
import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'

const Codes = z.record(
  z.string().regex(/^[A-Z]{1,3}$/, 'must be one to three letters'),
  z.string().regex(/^[A-Z]{3}$/, 'must be three letters'),
)

const { icao, withdrawn, unofficial, arabicScript } = readData(
  'subgraphs/verification/document/data/country-codes.json',
  z.strictObject({
    /** ICAO Doc 9303 part 3 section 5, beside ISO 3166-1: the country they stand for, or themselves where there is none */
    icao: Codes,
    /** that old documents still carry */
    withdrawn: Codes,
    /** in use, not in the standard */
    unofficial: Codes,
    /** Arabic is an official language, and stands on their documents */
    arabicScript: z.array(z.string().regex(/^[A-Z]{3}$/, 'must be three letters')),
  }),
)
const otherCodes = new Map(Object.entries({ ...icao, ...withdrawn, ...unofficial }))

const languages = ['fr', 'en', 'es', 'pt', 'ar', 'de', 'it'] as const

/**
 * A country as people and documents write it, as its ISO 3166-1 alpha-3 code; the ICAO extras without a country (UTO, XXA, UNO, …) stay themselves.
 * @param text - alpha-2, alpha-3, numeric, an ICAO code with or without fillers, or a name in fr, en, es, pt, ar, de, it; any case
 * @returns undefined when it is none of these
 */
export function countryCode(text: string): string | undefined {
  const code = text.normalize('NFKC').replace(/</g, ' ').trim().toUpperCase()
  const other = otherCodes.get(code)
  if (other !== undefined) return other
  if (/^[A-Z]{2}$/.test(code)) return countries.alpha2ToAlpha3(code)
  if (/^[A-Z]{3}$/.test(code)) return countries.isValid(code) ? code : undefined
  if (/^\d{3}$/.test(code)) return countries.numericToAlpha3(code)
  if (code.length < 4 || code.length > 60) return undefined
  for (const language of languages) {
    const found = countries.getAlpha3Code(text.trim(), language) ?? countries.getSimpleAlpha3Code(text.trim(), language)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether two spellings name one country; undefined when one of them is not known. */
export function sameCountry(a: string, b: string): boolean | undefined {
  const [left, right] = [countryCode(a), countryCode(b)]
  return left === undefined || right === undefined ? undefined : left === right
}

/** Whether documents of a country, as people write it, are printed in Arabic script. */
export const printsArabic = (country: string): boolean => arabicScript.includes(countryCode(country) ?? '')
