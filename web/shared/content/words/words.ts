import { dictionary } from '../../words/dictionary.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** What is said around the texts of a tenant: their tree, their writing, their trash. */
export const contentWords = { fr, en, ar } as const

/** What everything says that pages share of content. */
export const useContentWords = dictionary(contentWords)
