import { dictionary } from '../../../shared/words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words of the search across citizens, verifications and expressions. */
export const useSearchWords = dictionary({ fr, en, ar })
