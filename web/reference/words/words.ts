import { sessionWords } from '../../shared/session/words/words.ts'
import { dictionary } from '../../shared/words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words around the OpenAPI document, which is in English only. */
export const useWords = dictionary({
  fr: { ...sessionWords.fr, ...fr },
  en: { ...sessionWords.en, ...en },
  ar: { ...sessionWords.ar, ...ar },
})
