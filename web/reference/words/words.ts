import { plainWords } from '../../shared/words/plain-words.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** What the documentation says around its library, which speaks English alone. */
export const word = plainWords({ fr, en, ar })
