/** @jsxImportSource preact */
import { render } from 'preact'
import { elementAt } from '../shared/frame/element.ts'
import { LanguageProvider } from './frame/language.tsx'
import { QueryPage } from './query-page.tsx'

/** Puts the page in place of what was seen until now. */
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
