import { contentWords } from '../../shared/content/words/words.ts'
import { dictionary } from '../../shared/words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words of the reader, with the shared words for content. */
export const useWords = dictionary({
  fr: { ...contentWords.fr, ...fr },
  en: { ...contentWords.en, ...en },
  ar: { ...contentWords.ar, ...ar },
})
