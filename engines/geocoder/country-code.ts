import { createRequire } from 'node:module'
import countries from 'i18n-iso-countries'

/** alpha-2 for an alpha-2, an alpha-3 or a name in French, English or Arabic; undefined for what is no country. */
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
  // its shape is what registerLocale takes
  countries.registerLocale(createRequire(import.meta.url)(`i18n-iso-countries/langs/${lang}.json`) as countries.LocaleData)
}
