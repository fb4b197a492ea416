import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

export type Language = 'fr' | 'en' | 'ar'

export const languages: readonly { readonly code: Language; readonly name: string; readonly dir: 'ltr' | 'rtl' }[] = [
  { code: 'fr', name: 'Français', dir: 'ltr' },
  { code: 'en', name: 'English', dir: 'ltr' },
  { code: 'ar', name: 'العربية', dir: 'rtl' },
]

export type SharedWord = keyof typeof en
const shared: Readonly<Record<Language, Readonly<Record<SharedWord, Text>>>> = { fr, en, ar }

/** A text, or its plural forms by CLDR category. `{name}` in it is replaced by a value. */
export type Text = string | { readonly [form: string]: string }

type Values = Readonly<Record<string, string | number>>

/** The texts of a page in one language. */
export interface Words<Word extends string> {
  readonly language: Language
  /** @param values - replace the names in braces; `count` selects the plural form */
  word(key: Word, values?: Values): string
  /** Returns the text `<group>.<code>` for a code of the platform, or the code itself where the page has no text for it. */
  named(group: string, code: string, values?: Values): string
  date(moment: string): string
  /** Formats a duration in its largest whole unit: "3 hours". */
  duration(seconds: number): string
  number(value: number): string
  /** Formats a share of 0 to 1. @param digits - maximum after the decimal point */
  percent(share: number, digits?: number): string
  /** Joins items into one line. */
  list(parts: readonly string[]): string
}

/** Returns the texts of a page in one language, the texts shared by all pages included. */
export function wordsIn<Word extends string>(language: Language, own: Readonly<Record<Word, Text>>): Words<Word | SharedWord> {
  const texts: Readonly<Record<Word | SharedWord, Text>> = { ...shared[language], ...own }
  const plural = new Intl.PluralRules(language)
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const numbers = new Intl.NumberFormat(language)
  const byCode: Readonly<Record<string, Text | undefined>> = texts
  const filled = (text: Text, values: Values): string => {
    const form = typeof text === 'string' ? text : (text[plural.select(Number(values.count))] ?? text.other ?? '')
    return withMarksKept(form).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? numbers.format(value) : (value ?? '')
    })
  }
  return {
    language,
    word: (key, values = {}) => filled(texts[key], values),
    named: (group, code, values = {}) => filled(byCode[`${group}.${code}`] ?? code, values),
    date: (moment) =>
      dates
        .formatToParts(new Date(moment))
        // a line may break between day and hour only
        .map(({ type, value }, index, parts) =>
          type === 'literal' && parts[index + 1]?.type !== 'hour' ? value.replaceAll(' ', unbroken) : value,
        )
        .join(''),
    number: (value) => numbers.format(value),
    percent: (share, digits = 0) => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(share),
    list: (parts) => parts.join(language === 'ar' ? '، ' : ', '),
    duration: (seconds) => durationIn(language, seconds),
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

function durationIn(language: Language, seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(seconds / length))
}

/** Returns the text in the user's language, else in English, else in French, else the first one. */
export function labelIn(language: string, labels: readonly { readonly lang: string; readonly text: string }[]): string | undefined {
  const match = [language, 'en', 'fr'].map((wanted) => labels.find(({ lang }) => lang === wanted)).find((label) => label !== undefined)
  return (match ?? labels[0])?.text
}

/** no-break space */
const unbroken = '\u00a0'

/** Keeps French punctuation with its word: a no-break space precedes it. */
export const withMarksKept = (text: string): string => text.replace(/ (?=[:;?!»])/g, unbroken).replaceAll('« ', `«${unbroken}`)
