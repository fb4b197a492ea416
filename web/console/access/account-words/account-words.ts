import { dictionary } from '../../../shared/words/dictionary.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words of accounts, loaded with that view alone. */
export const useAccountWords = dictionary({ fr, en, ar })
