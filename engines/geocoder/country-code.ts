import { createRequire } from 'node:module'
import countries from 'i18n-iso-countries'

/** Returns the alpha-2 code of an alpha-2 or alpha-3 code or of a French, English or Arabic name; undefined if unknown. */
export function countryCode(country: string): string | undefined {
  const upper = country.trim().toUpperCase()
  if (upper.length === 2 && countries.isValid(upper)) return upper
  if (upper.length === 3) return countries.alpha3ToAlpha2(upper)
  for (const lang of ['fr', 'en', 'ar']) {
    register(lang)
    const code = countries.getAlpha2Code(country.trim(), lang)
    if (code !== undefined) return code
  }
  return undefined
}

const registered = new Set<string>()
function register(lang: string): void {
  if (registered.has(lang)) return
  registered.add(lang)
  // the file has the shape that registerLocale expects
  countries.registerLocale(createRequire(import.meta.url)(`i18n-iso-countries/langs/${lang}.json`) as countries.LocaleData)
}
