import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import type { Language } from './languages.ts'
import { unbroken, withMarksKept } from './unbroken.ts'

export type SharedWord = keyof typeof en
const shared: Readonly<Record<Language, Readonly<Record<SharedWord, Text>>>> = { fr, en, ar }

/** A text, or its plural forms by the categories of the language (CLDR). `{name}` in it stands for a value. */
export type Text = string | { readonly [form: string]: string }

/** What a page says, in one language. */
export interface Words<Word extends string> {
  readonly language: Language
  /** @param values - what stands in braces; `count` chooses among plural forms */
  word(key: Word, values?: Readonly<Record<string, string | number>>): string
  /** What the platform names by a code that grows with it, of the words that begin with the group; the code itself where no word is known. */
  named(group: string, code: string): string
  date(moment: string): string
  /** how long it has been: "3 hours" */
  duration(seconds: number): string
  number(value: number): string
  /** several of a kind in one line */
  list(parts: readonly string[]): string
}

/** What a page says in one language, with what all pages say. */
export function wordsIn<Word extends string>(language: Language, own: Readonly<Record<Word, Text>>): Words<Word | SharedWord> {
  const texts: Readonly<Record<Word | SharedWord, Text>> = { ...shared[language], ...own }
  const plural = new Intl.PluralRules(language)
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const numbers = new Intl.NumberFormat(language)
  const byCode: Readonly<Record<string, Text | undefined>> = texts
  const filled = (text: Text, values: Readonly<Record<string, string | number>>): string => {
    const form = typeof text === 'string' ? text : (text[plural.select(Number(values.count))] ?? text.other ?? '')
    return withMarksKept(form).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? numbers.format(value) : (value ?? '')
    })
  }
  return {
    language,
    word: (key, values = {}) => filled(texts[key], values),
    named: (group, code) => filled(byCode[`${group}.${code}`] ?? code, {}),
    date: (moment) =>
      dates
        .formatToParts(new Date(moment))
        // a line is broken between day and hour alone
        .map(({ type, value }, index, parts) =>
          type === 'literal' && parts[index + 1]?.type !== 'hour' ? value.replaceAll(' ', unbroken) : value,
        )
        .join(''),
    number: (value) => numbers.format(value),
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
