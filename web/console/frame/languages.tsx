import { languages, useWords } from '../words/words.tsx'

/** The page in another language, at once: nothing that was begun is lost. */
export function Languages() {
  const { language, choose, word } = useWords()
  return (
    <nav className="languages" aria-label={word('languages')}>
      <ul>
        {languages.map(({ code, name }) => (
          <li key={code}>
            <button
              type="button"
              lang={code}
              dir={code === 'ar' ? 'rtl' : 'ltr'}
              aria-pressed={code === language}
              onClick={() => choose(code)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
