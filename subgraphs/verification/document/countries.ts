import countries from 'i18n-iso-countries'
import { z } from 'zod'
import { readData } from '../../../foundation/files/data-file.ts'
import { normalForm } from '../../../foundation/text/normal-form.ts'

const Codes = z.record(
  z.string().regex(/^[A-Z]{1,3}$/, 'must be one to three letters'),
  z.string().regex(/^[A-Z]{3}$/, 'must be three letters'),
)

const { icao, withdrawn, unofficial, arabicScript } = readData(
  'subgraphs/verification/document/data/country-codes.json',
  z.strictObject({
    /** codes of ICAO Doc 9303 part 3 section 5 beyond ISO 3166-1: their country, or themselves */
    icao: Codes,
    /** withdrawn codes that old documents carry */
    withdrawn: Codes,
    /** used, but not standardised */
    unofficial: Codes,
    /** countries whose documents are printed in Arabic script */
    arabicScript: z.array(z.string().regex(/^[A-Z]{3}$/, 'must be three letters')),
  }),
)
const otherCodes = new Map(Object.entries({ ...icao, ...withdrawn, ...unofficial }))

const languages = ['fr', 'en', 'es', 'pt', 'ar', 'de', 'it'] as const

/**
 * Returns the ISO 3166-1 alpha-3 code of a country as written by people or documents; ICAO codes without a country (UTO, XXA, UNO, …) stay.
 * @param text - alpha-2, alpha-3, numeric, an ICAO code with or without fillers, or a name in fr, en, es, pt, ar, de, it; any case
 * @returns undefined for any other text
 */
export function countryCode(text: string): string | undefined {
  const code = normalForm(text, 'NFKC').replace(/</g, ' ').trim().toUpperCase()
  const other = otherCodes.get(code)
  if (other !== undefined) return other
  if (/^[A-Z]{2}$/.test(code)) return countries.alpha2ToAlpha3(code)
  if (/^[A-Z]{3}$/.test(code)) return countries.isValid(code) ? code : undefined
  if (/^\d{3}$/.test(code)) return countries.numericToAlpha3(code)
  if (code.length < 4 || code.length > 60) return undefined
  for (const language of languages) {
    const match = countries.getAlpha3Code(text.trim(), language) ?? countries.getSimpleAlpha3Code(text.trim(), language)
    if (match !== undefined) return match
  }
  return undefined
}

/** Returns whether two spellings name the same country; undefined when one is unknown. */
export function sameCountry(a: string, b: string): boolean | undefined {
  const [left, right] = [countryCode(a), countryCode(b)]
  return left === undefined || right === undefined ? undefined : left === right
}

/** Returns whether documents of a country are printed in Arabic script. */
export const printsArabic = (country: string): boolean => arabicScript.includes(countryCode(country) ?? '')
