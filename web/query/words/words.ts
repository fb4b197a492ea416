import { useMemo } from 'preact/hooks'
import { wordsIn } from '../../shared/words/words-in.ts'
import { useLanguage } from '../frame/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

const texts = { fr, en, ar }

/** Returns the words of this page. It runs on Preact, so it cannot use the React `dictionary` of the other pages. */
export function useWords() {
  const { language } = useLanguage()
  return useMemo(() => wordsIn(language, texts[language]), [language])
}
