import { dictionary } from '../../../shared/words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words of erasures and of access to the data about a citizen. */
export const useErasureWords = dictionary({ fr, en, ar })
