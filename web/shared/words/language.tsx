import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { remember } from '../frame/remembered.ts'
import type { Language } from './languages.ts'
import { pageLanguage, setPageLanguage } from './page-language.ts'

export interface LanguageState {
  readonly language: Language
  /** the page speaks it at once: nothing that was begun is lost; and so do all pages from then on */
  choose(language: Language): void
}

const LanguageContext = createContext<LanguageState | undefined>(undefined)

/** The language of the page, which begins with the one that `first-look.ts` has found. */
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
