import { dictionary } from '../../shared/words/dictionary.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** What the documentation says around the document, which speaks English alone. */
export const useWords = dictionary({ fr, en, ar })
