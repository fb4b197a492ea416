import { dictionary } from '../../words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The shared words for content: tree, editor and trash. */
export const contentWords = { fr, en, ar } as const

/** The shared words for content, with those of all pages. */
export const useContentWords = dictionary(contentWords)
