import { dictionary } from '../../../shared/words/dictionary.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The names of audited actions, loaded with the audit trail alone: they are most of the words of that page. */
export const useActionWords = dictionary({ fr, en, ar })
