import type { ModerationReason } from '@civigraph/client/documents'
import { dictionary } from '../../shared/words/language.tsx'
import ar from './moderation-words/ar.json' with { type: 'json' }
import en from './moderation-words/en.json' with { type: 'json' }
import fr from './moderation-words/fr.json' with { type: 'json' }

/** The words of moderation. */
export const useModerationWords = dictionary({ fr, en, ar })

/** Reasons for a report or a withdrawal, in the order of the forms. */
export const moderationReasons: readonly ModerationReason[] = ['INSULT', 'THREAT', 'HATE', 'PERSONAL_DATA', 'SPAM', 'OTHER']
