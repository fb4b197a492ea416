import { dictionary } from '../../words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The shared words for signing in and out. */
export const sessionWords = { fr, en, ar } as const

/** The shared words for signing in and out, with those of all pages. */
export const useSessionWords = dictionary(sessionWords)
