import { sessionWords } from '../../shared/session/words/words.ts'
import { dictionary } from '../../shared/words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

export type Word = keyof typeof en

/** The words of the console. */
export const useWords = dictionary({
  fr: { ...sessionWords.fr, ...fr },
  en: { ...sessionWords.en, ...en },
  ar: { ...sessionWords.ar, ...ar },
})
