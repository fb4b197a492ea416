/** What the page says, in each of its languages. `{name}` stands for a value; plural forms are chosen by Intl.PluralRules. */
import { ar } from './words-ar.js'
import { en } from './words-en.js'
import { fr } from './words-fr.js'

const all = { fr, en, ar }
const storageKey = 'civigraph.language'
const fallback = 'en'

/** The page's language: asked for in the address, chosen before, or what the browser prefers. */
export const language = (() => {
  const asked = new URLSearchParams(location.search).get('lang')
  const wishes = [asked, remembered(), ...navigator.languages.map((each) => each.slice(0, 2))]
  return wishes.find((each) => each !== null && Object.hasOwn(all, each)) ?? fallback
})()

function remembered() {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Keeps the choice for the next visit, where the browser lets pages keep anything. */
export function remember(code) {
  try {
    localStorage.setItem(storageKey, code)
  } catch {
    // the address has it, too
  }
}

const words = all[language]
const plural = new Intl.PluralRules(language)

/** @param {string} key @param {Record<string, string | number>} values - a member `count` chooses among plural forms */
export function word(key, values = {}) {
  const found = words[key] ?? all[fallback][key] ?? key
  const text = typeof found === 'string' ? found : (found[plural.select(values.count)] ?? found.other)
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
}

/** Puts the words into the page, which says where they go by `data-word` (its text) and `data-label` (its accessible name). */
export function translatePage() {
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  document.title = `${word('title')} · Civigraph`
  for (const each of document.querySelectorAll('[data-word]')) each.textContent = word(each.dataset.word)
  for (const each of document.querySelectorAll('[data-label]')) each.setAttribute('aria-label', word(each.dataset.label))
}

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
