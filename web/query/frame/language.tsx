/** @jsxImportSource preact */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { remember } from '../../shared/frame/remembered.ts'
import type { LanguageState } from '../../shared/words/language.tsx'
import type { Language } from '../../shared/words/languages.ts'
import { pageLanguage, setPageLanguage } from '../../shared/words/page-language.ts'

const LanguageContext = createContext<LanguageState>({ language: 'en', choose: () => undefined })

/** The language of the page, which starts as the one that `first-look.ts` selected. */
export function LanguageProvider({ children }: { readonly children: ComponentChildren }) {
  const [language, setLanguage] = useState(pageLanguage)
  useEffect(() => setPageLanguage(language), [language])
  const choose = (chosen: Language): void => {
    remember('language', chosen)
    setLanguage(chosen)
  }
  return <LanguageContext.Provider value={{ language, choose }}>{children}</LanguageContext.Provider>
}

export const useLanguage = (): LanguageState => useContext(LanguageContext)
