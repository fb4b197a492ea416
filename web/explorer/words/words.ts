import { useMemo } from 'react'
import { dictionary } from '../../shared/words/language.tsx'
import type { Language } from '../../shared/words/words-in.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words of the explorer. */
export const useWords = dictionary({ fr, en, ar })

/** Formats shares, days and names in one language. */
interface Formats {
  compact(value: number): string
  percent(value: number): string
  /** formats a share: "+12 %" */
  change(value: number): string
  /** formats 2026-11-21 as "21 Nov" */
  day(day: string): string
  longDay(day: string): string
  /** name of an ISO 639 code; undefined for `und` */
  languageName(code: string): string | undefined
  /** name of a two-letter ISO 3166-1 code; undefined for an unknown one */
  country(code: string): string | undefined
  /** formats an age: "3 min ago"; undefined within the last minute */
  ago(moment: string): string | undefined
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function formatsIn(language: Language): Formats {
  const numbers = new Intl.NumberFormat(language)
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })
  const change = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const longDays = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const names = new Intl.DisplayNames([language], { type: 'language', fallback: 'code' })
  const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  return {
    compact: (value) => (value < 10_000 ? numbers : compact).format(value),
    percent: (value) => percent.format(value),
    change: (value) => change.format(value),
    day: (day) => days.format(new Date(day)),
    longDay: (day) => longDays.format(new Date(day)),
    languageName: (code) => {
      if (code === 'und') return undefined
      const name = names.of(code) ?? code
      return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
    },
    // some outlines have no country code
    country: (code) => (code === '' ? undefined : regions.of(code)),
    ago: (moment) => {
      const ms = Date.now() - new Date(moment).getTime()
      const unit = units.find(([, length]) => ms >= length)
      return unit && relative.format(-Math.floor(ms / unit[1]), unit[0])
    },
  }
}

export function useFormats(): Formats {
  const { language } = useWords()
  return useMemo(() => formatsIn(language), [language])
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv'])
/** Returns the attributes of a text in a language. */
export const writtenIn = (code: string | undefined): { readonly lang?: string; readonly dir: 'ltr' | 'rtl' | 'auto' } =>
  code === undefined || code === 'und' ? { dir: 'auto' } : { lang: code, dir: rightToLeft.has(code) ? 'rtl' : 'ltr' }
