import { dictionary } from '../../words/dictionary.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** What the trash and the choice of a tenant say. */
export const useContentWords = dictionary({ fr, en, ar })
