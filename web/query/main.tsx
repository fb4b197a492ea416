/** @jsxImportSource preact */
import '../shared/look/look.css'
import './query.css'
import { render } from 'preact'
import { elementAt } from '../shared/frame/element.ts'
import { LanguageProvider } from './frame/language.tsx'
import { QueryPage } from './query-page.tsx'

const place = elementAt('#page', HTMLElement)
place.replaceChildren()
render(
  <LanguageProvider>
    <QueryPage />
  </LanguageProvider>,
  place,
)
