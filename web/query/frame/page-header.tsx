/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { focusContent } from '../../shared/frame/page-document.ts'
import { chooseTheme, chosenTheme, themes } from '../../shared/words/choices.ts'
import { languages } from '../../shared/words/words-in.ts'
import { useLanguage, useWords } from '../words/words.tsx'

/** The header of the page, with a skip link. @param children - controls of this page */
export function PageHeader({ children }: { readonly children: ComponentChildren }) {
  const { word } = useWords()
  const { language, choose } = useLanguage()
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        {word('skip')}
      </button>
      <header class="band">
        <div class="wide">
          <a class="wordmark" href="/">
            <img src="/pages/emblem.svg" alt="" width="28" height="28" />
            Civigraph
          </a>
          {children}
          <nav class="languages" aria-label={word('languages')}>
            <ul>
              {languages.map(({ code, name, dir }) => (
                <li key={code}>
                  <button type="button" lang={code} dir={dir} aria-pressed={code === language} onClick={() => choose(code)}>
                    {name}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          <Appearance />
        </div>
      </header>
    </>
  )
}

/** Selects light or dark for all pages, or the device's setting. */
function Appearance() {
  const { word } = useWords()
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <select
      class="themes"
      aria-label={word('theme.title')}
      value={theme}
      onChange={(event) => setTheme(chooseTheme(event.currentTarget.value))}
    >
      {themes.map((each) => (
        <option key={each} value={each}>
          {word(`theme.${each}`)}
        </option>
      ))}
    </select>
  )
}
