import '../look/look.css'
import { type ReactNode, StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { LanguageProvider, useLanguage } from '../words/language.tsx'
import { elementAt } from './element.ts'
import { FaultBoundary } from './fault-boundary.tsx'

/** Puts the page in place of what was seen until its script began: in the language that was chosen, with the look that all pages share. */
export function startPage(page: ReactNode): void {
  createRoot(elementAt('#page', HTMLElement)).render(
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
