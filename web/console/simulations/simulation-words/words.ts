import { dictionary } from '../../../shared/words/language.tsx'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }

/** The words of the simulations, loaded with that view alone. */
export const useSimulationWords = dictionary({ fr, en, ar })
