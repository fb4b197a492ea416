import '../look/look.css'
import { type ReactNode, StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { LanguageProvider, useLanguage } from '../words/language.tsx'
import { FaultBoundary } from './fault-boundary.tsx'

/** Puts the page in place of what was seen until its script began: in the language that was chosen, with the look that all pages share. */
export function startPage(page: ReactNode): void {
  const place = document.querySelector('#page')
  if (place === null) throw new Error('the page has no place to begin in')
  createRoot(place).render(
    <StrictMode>
      <LanguageProvider>
        <Localised>
          <FaultBoundary>{page}</FaultBoundary>
        </Localised>
      </LanguageProvider>
    </StrictMode>,
  )
}

/** What the components say by themselves is said in the language of the page, too. */
function Localised({ children }: { children: ReactNode }) {
  const { language } = useLanguage()
  return <I18nProvider locale={language}>{children}</I18nProvider>
}
