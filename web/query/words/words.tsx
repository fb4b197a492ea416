/** @jsxImportSource preact */

import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import sessionAr from '../../shared/session/words/ar.json' with { type: 'json' }
import sessionEn from '../../shared/session/words/en.json' with { type: 'json' }
import sessionFr from '../../shared/session/words/fr.json' with { type: 'json' }
import { pageLanguage, remember, setPageLanguage } from '../../shared/words/choices.ts'
import type { LanguageState } from '../../shared/words/language.tsx'
import { type Language, wordsIn } from '../../shared/words/words-in.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

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

const texts = { fr: { ...sessionFr, ...fr }, en: { ...sessionEn, ...en }, ar: { ...sessionAr, ...ar } }

/** Returns the words of this page. It runs on Preact, so it cannot use the React `dictionary` of the other pages. */
export function useWords() {
  const { language } = useLanguage()
  return useMemo(() => wordsIn(language, texts[language]), [language])
}
