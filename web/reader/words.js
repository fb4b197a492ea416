/** What the reader says, in each of its languages, and how it writes numbers and days. */
import { speak } from '/pages/language.js'
import { ar } from './words/words-ar.js'
import { en } from './words/words-en.js'
import { fr } from './words/words-fr.js'

export const { language, word, translatePage, followLanguages } = speak({ fr, en, ar })

const numbers = new Intl.NumberFormat(language)
const days = new Intl.DateTimeFormat(language, { dateStyle: 'long' })
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' })
const languages = new Intl.DisplayNames([language], { type: 'language', fallback: 'code' })

export const numberText = (value) => numbers.format(value)
export const dayText = (at) => days.format(new Date(at))
export const momentText = (at) => moments.format(new Date(at))

/** @param {string} tag - BCP 47; one that is none is shown as it is */
export function languageText(tag) {
  try {
    const name = languages.of(tag)
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  } catch {
    return tag
  }
}

const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'khw', 'ks', 'nqo', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi'])

/** How a text of a language runs; without one, as its first letter does. */
export function directionOf(locale) {
  if (locale === null) return 'auto'
  const [tongue, script] = locale.toLowerCase().split('-')
  if (['arab', 'hebr', 'nkoo', 'adlm', 'syrc', 'thaa'].includes(script)) return 'rtl'
  return rightToLeft.has(tongue) && script !== 'latn' ? 'rtl' : 'ltr'
}

/** What says in which language a text is. */
export const written = ({ locale }) => ({ dir: directionOf(locale), lang: locale ?? undefined })
