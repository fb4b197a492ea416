import type { ActiveAuthentication } from '../../chip/active-authentication.ts'
import { type Check, checkOf } from '../check.ts'
import { type Finding, review } from '../reasons.ts'

/**
 * Converts active authentication to a check. An invalid response goes to review: a copy gives it, and so does a reader that relayed another
 * challenge. An undecidable one does not count against the document.
 */
export function checkActiveAuthentication(authentication: ActiveAuthentication): {
  readonly check: Check
  readonly findings: readonly Finding[]
} {
  switch (authentication.result) {
    case 'held':
      return { check: checkOf('clear'), findings: [] }
    case 'not_held':
      return { check: checkOf('consider'), findings: [review('chip_not_genuine')] }
    case 'unknown':
      return { check: checkOf('unidentified', { note: authentication.why }), findings: [] }
  }
}
