import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { pageLanguage, remember, setPageLanguage } from './choices.ts'
import { type Language, type SharedWord, type Text, type Words, wordsIn } from './words-in.ts'

export interface LanguageState {
  readonly language: Language
  /** changes the language in place, without losing input, and stores the choice for all pages */
  choose(language: Language): void
}

const LanguageContext = createContext<LanguageState | undefined>(undefined)

/** Provides the language of the page, which starts as the one that `first-look.ts` selected. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(pageLanguage)
  useEffect(() => setPageLanguage(language), [language])
  const state = useMemo((): LanguageState => {
    const choose = (chosen: Language): void => {
      remember('language', chosen)
      setLanguage(chosen)
    }
    return { language, choose }
  }, [language])
  return <LanguageContext.Provider value={state}>{children}</LanguageContext.Provider>
}

export function useLanguage(): LanguageState {
  const state = useContext(LanguageContext)
  if (state === undefined) throw new Error('useLanguage must be called inside a LanguageProvider')
  return state
}

/** Creates the hook that returns a page's words with the shared ones. Each language is a JSON file with the same keys. */
export function dictionary<Word extends string>(
  texts: Readonly<Record<Language, Readonly<Record<Word, Text>>>>,
): () => Words<Word | SharedWord> {
  return () => {
    const { language } = useLanguage()
    return useMemo(() => wordsIn(language, texts[language]), [language])
  }
}

/** The words shared by all pages and their components. */
export const useSharedWords = dictionary({ fr: {}, en: {}, ar: {} })
