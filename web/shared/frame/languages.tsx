import { useLanguage, useSharedWords } from '../words/language.tsx'
import { languages } from '../words/words-in.ts'

/** Changes the language of the page in place, without losing input. */
export function Languages() {
  const { word } = useSharedWords()
  const { language, choose } = useLanguage()
  return (
    <nav className="languages" aria-label={word('languages')}>
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
  )
}
