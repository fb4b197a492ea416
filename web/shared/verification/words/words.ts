import { dictionary } from '../../words/dictionary.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** Names of the checks, measures and scores of a verification. */
export const useCheckWords = dictionary({ fr, en, ar })
