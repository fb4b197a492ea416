/** @jsxImportSource preact */
import { render } from 'preact'
import { elementAt } from '../shared/frame/element.ts'
import { LanguageProvider } from './frame/language.tsx'
import { QueryPage } from './query-page.tsx'

/** Replaces the initial body with the page. */
export function begin(): void {
  const place = elementAt('#page', HTMLElement)
  place.replaceChildren()
  render(
    <LanguageProvider>
      <QueryPage />
    </LanguageProvider>,
    place,
  )
}
