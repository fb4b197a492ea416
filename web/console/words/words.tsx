import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

export type Word = keyof typeof en
export type Language = 'fr' | 'en' | 'ar'

export const languages: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'fr', name: 'Français' },
  { code: 'en', name: 'English' },
  { code: 'ar', name: 'العربية' },
]

type Text = string | { readonly [form: string]: string }
const all: Readonly<Record<Language, Readonly<Record<Word, Text>>>> = { fr, en, ar }

export interface Words {
  readonly language: Language
  choose(language: Language): void
  /** @param values - what stands in braces; `count` chooses among plural forms */
  word(key: Word, values?: Readonly<Record<string, string | number>>): string
  /** What the platform names by a code that grows with it; the code itself where no word is known. */
  named(group: string, code: string): string
  date(moment: string): string
  /** how long it has been: "3 hours" */
  duration(seconds: number): string
  number(value: number): string
}

const WordsContext = createContext<Words | undefined>(undefined)
/** of all pages */
const storageKey = 'civigraph.language'

export function WordsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  }, [language])
  const words = useMemo(() => wordsIn(language, choose), [language])
  function choose(chosen: Language): void {
    remember(chosen)
    setLanguage(chosen)
  }
  return <WordsContext.Provider value={words}>{children}</WordsContext.Provider>
}

export function useWords(): Words {
  const words = useContext(WordsContext)
  if (words === undefined) throw new Error('outside of a WordsProvider')
  return words
}

export function wordsIn(language: Language, choose: Words['choose']): Words {
  const plural = new Intl.PluralRules(language)
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const numbers = new Intl.NumberFormat(language)
  const texts: Readonly<Record<string, Text | undefined>> = all[language]
  const filled = (text: Text, values: Readonly<Record<string, string | number>>): string => {
    const form = typeof text === 'string' ? text : (text[plural.select(Number(values.count))] ?? text.other ?? '')
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? numbers.format(value) : (value ?? '')
    })
  }
  return {
    language,
    choose,
    word: (key, values = {}) => filled(all[language][key], values),
    named: (group, code) => filled(texts[`${group}.${code}`] ?? code, {}),
    date: (moment) => dates.format(new Date(moment)),
    number: (value) => numbers.format(value),
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

/** asked for in the address, chosen before on any page, or what the browser prefers */
function firstLanguage(): Language {
  const wanted = [new URLSearchParams(location.search).get('lang'), remembered(), ...navigator.languages.map((each) => each.slice(0, 2))]
  return languages.find(({ code }) => code === wanted.find((each) => languages.some((known) => known.code === each)))?.code ?? 'en'
}

function remembered(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function remember(code: Language): void {
  try {
    localStorage.setItem(storageKey, code)
  } catch {
    // the page speaks it until it is left
  }
}
