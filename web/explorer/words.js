/** What the explorer says, in each of its languages, and how it writes numbers, days and names. */
import { speak } from '/pages/language.js'
import { ar } from './words/words-ar.js'
import { en } from './words/words-en.js'
import { fr } from './words/words-fr.js'

export const { language, word, translatePage, followLanguages } = speak({ fr, en, ar })

const numbers = new Intl.NumberFormat(language)
const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
const change = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDays = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
const languages = new Intl.DisplayNames([language], { type: 'language', fallback: 'code' })
const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })

export const numberText = (value) => numbers.format(value)
export const compactText = (value) => (value < 10_000 ? numbers.format(value) : compact.format(value))
export const percentText = (value) => percent.format(value)
export const changeText = (value) => change.format(value)
export const dayText = (day) => days.format(new Date(day))
export const longDayText = (day) => longDays.format(new Date(day))
export const countryText = (code) => (code === undefined ? undefined : regions.of(code))

export function languageText(code) {
  if (code === 'und') return word('languageUnknown')
  const name = languages.of(code)
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "3 min ago", in the language of the page. */
export function agoText(time) {
  const ms = Date.now() - new Date(time).getTime()
  if (ms < 60_000) return word('justNow')
  const [unit, size] = units.find(([, length]) => ms >= length)
  return relative.format(-Math.floor(ms / size), unit)
}

/** A label of the taxonomy: in the page's language, else in French, its first one. */
export const labelOf = ({ id, label = {} }) => label[language] ?? label.fr ?? label.en ?? id
