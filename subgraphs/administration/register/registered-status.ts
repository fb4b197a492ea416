import type { CitizenOutcome } from '../../../engines/citizen-data/citizen-outcomes.ts'
import type { CitizenStatus } from '../tables.ts'

/** The verification status of a citizen, and where it comes from. */
export interface RegisteredStatus {
  readonly verification: CitizenStatus
  /** time of the verification that set it; null without one */
  readonly verifiedAt: Date | null
  /** last day of a verified document, as YYYY-MM-DD */
  readonly expiresOn: string | null
}

/** The status of a citizen without a verification. */
export const unverified: RegisteredStatus = { verification: 'unverified', verifiedAt: null, expiresOn: null }

/**
 * Returns the status after an outcome. The latest decision counts, in whatever order outcomes arrive; a verification that waits for a reviewer
 * counts only for a citizen without a decision, and a failed one does not count.
 * @param today - as YYYY-MM-DD
 */
export function statusAfter(known: RegisteredStatus, { outcome, at, expiresOn }: CitizenOutcome, today: string): RegisteredStatus {
  if (outcome === 'error') return known
  const verification: CitizenStatus = outcome === 'verified' && expiresOn !== null && expiresOn < today ? 'expired' : outcome
  const next = { verification, verifiedAt: at, expiresOn: outcome === 'verified' ? expiresOn : null }
  return comesAfter(next, known) ? next : known
}

const decided: readonly CitizenStatus[] = ['expired', 'verified', 'rejected']

function comesAfter(one: RegisteredStatus, other: RegisteredStatus): boolean {
  const [rank, otherRank] = [decided.indexOf(one.verification), decided.indexOf(other.verification)]
  if (rank < 0 !== otherRank < 0) return otherRank < 0
  const [at, otherAt] = [one.verifiedAt?.getTime() ?? 0, other.verifiedAt?.getTime() ?? 0]
  return at === otherAt ? rank > otherRank : at > otherAt
}
