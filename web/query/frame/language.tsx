/** @jsxImportSource preact */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { remember } from '../../shared/frame/remembered.ts'
import { type Language, languages } from '../../shared/words/languages.ts'

interface LanguageState {
  readonly language: Language
  /** the page speaks it at once: nothing that was begun is lost; and so do all pages from then on */
  choose(language: Language): void
}

const LanguageContext = createContext<LanguageState>({ language: 'en', choose: () => undefined })

/** The language of the page, which begins with the one that `first-look.ts` has found. */
export function LanguageProvider({ children }: { readonly children: ComponentChildren }) {
  const [language, setLanguage] = useState(() => languages.find(({ code }) => code === document.documentElement.lang)?.code ?? 'en')
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = languages.find(({ code }) => code === language)?.dir ?? 'ltr'
  }, [language])
  const choose = (chosen: Language): void => {
    remember('language', chosen)
    setLanguage(chosen)
  }
  return <LanguageContext.Provider value={{ language, choose }}>{children}</LanguageContext.Provider>
}

export const useLanguage = (): LanguageState => useContext(LanguageContext)
