import '../look/look.css'
import { type ReactNode, StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { LanguageProvider, useLanguage } from '../words/language.tsx'
import { FaultBoundary } from './fault-boundary.tsx'
import { elementAt } from './page-document.ts'

/** Replaces the initial body with the page, in the selected language and with the shared look. */
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

/** sets the language of the texts inside React Aria components */
function Localised({ children }: { children: ReactNode }) {
  const { language } = useLanguage()
  return <I18nProvider locale={language}>{children}</I18nProvider>
}
