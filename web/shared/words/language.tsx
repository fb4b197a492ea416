import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { remember } from '../frame/remembered.ts'
import type { Language } from './languages.ts'
import { pageLanguage, setPageLanguage } from './page-language.ts'

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
  if (state === undefined) throw new Error('outside of a LanguageProvider')
  return state
}
