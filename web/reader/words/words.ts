import { contentWords } from '../../shared/content/words/words.ts'
import { sessionWords } from '../../shared/session/words/words.ts'
import { dictionary } from '../../shared/words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words of the reader, with the shared words for content. */
export const useWords = dictionary({
  fr: { ...contentWords.fr, ...sessionWords.fr, ...fr },
  en: { ...contentWords.en, ...sessionWords.en, ...en },
  ar: { ...contentWords.ar, ...sessionWords.ar, ...ar },
})
