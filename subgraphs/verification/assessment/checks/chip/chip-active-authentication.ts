import type { ActiveAuthentication } from '../../../chip/active-authentication.ts'
import { type Check, checkOf } from '../../check.ts'
import { type Finding, review } from '../../reasons.ts'

/**
 * Active authentication as a check. An answer that does not hold is for a person to look at: it is what a copy gives, and what a reader gives that
 * has passed on another challenge. One that cannot be told proves nothing and says nothing against the document.
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
