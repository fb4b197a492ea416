import countries from 'i18n-iso-countries'

/** Codes that ICAO Doc 9303 part 3 section 5 has beside ISO 3166-1, and the country they stand for where there is one. */
const icaoCodes: Readonly<Record<string, string>> = {
  D: 'DEU',
  GBD: 'GBR',
  GBN: 'GBR',
  GBO: 'GBR',
  GBP: 'GBR',
  GBS: 'GBR',
  EUE: 'EUE',
  IAO: 'IAO',
  RKS: 'RKS',
  UNA: 'UNA',
  UNK: 'UNK',
  UNO: 'UNO',
  UTO: 'UTO',
  XAA: 'XXA',
  XBA: 'XBA',
  XCC: 'XCC',
  XCE: 'XCE',
  XCO: 'XCO',
  XCT: 'XCT',
  XDC: 'XDC',
  XEC: 'XEC',
  XES: 'XES',
  XIM: 'XIM',
  XMP: 'XMP',
  XOM: 'XOM',
  XPO: 'XPO',
  XXA: 'XXA',
  XXB: 'XXB',
  XXC: 'XXC',
  XXX: 'XXX',
  // withdrawn codes that old documents still carry
  ROM: 'ROU',
  TMP: 'TLS',
  ZAR: 'COD',
  BUR: 'MMR',
  // in use, not in the standard
  KSV: 'RKS',
  XK: 'RKS',
  XKX: 'RKS',
  UK: 'GBR',
}

const languages = ['fr', 'en', 'es', 'pt', 'ar', 'de', 'it'] as const

/**
 * A country as people and documents write it, as its ISO 3166-1 alpha-3 code; the ICAO extras without a country (UTO, XXA, UNO, …) stay themselves.
 * @param text - alpha-2, alpha-3, numeric, an ICAO code with or without fillers, or a name in fr, en, es, pt, ar, de, it; any case
 * @returns undefined when it is none of these
 */
export function countryCode(text: string): string | undefined {
  const code = text.normalize('NFKC').replace(/</g, ' ').trim().toUpperCase()
  const icao = icaoCodes[code]
  if (icao !== undefined) return icao
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
