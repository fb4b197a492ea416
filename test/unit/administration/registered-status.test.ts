import { describe, expect, it } from 'vitest'
import type { CitizenOutcome } from '../../../engines/citizen-data/citizen-outcomes.ts'
import { statusAfter, unverified } from '../../../subgraphs/administration/register/registered-status.ts'
import { randomFrom } from '../../support/samples/random.ts'

const today = '2026-06-01'
const outcomeAt = (minute: number, outcome: CitizenOutcome['outcome'], expiresOn: string | null = null): CitizenOutcome => ({
  jobId: `job-${minute}`,
  code: 'C-1',
  outcome,
  at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  expiresOn,
})
const statusOf = (...outcomes: readonly CitizenOutcome[]) =>
  outcomes.reduce((status, outcome) => statusAfter(status, outcome, today), unverified)

describe('the verification status of a citizen', () => {
  it('is that of the latest decision; waiting and failed verifications do not end it', () => {
    const verified = outcomeAt(1, 'verified', '2030-01-01')
    expect(statusOf(verified)).toEqual({ verification: 'verified', verifiedAt: verified.at, expiresOn: '2030-01-01' })
    expect(statusOf(verified, outcomeAt(2, 'pending_review'), outcomeAt(3, 'error'))).toEqual(statusOf(verified))
    expect(statusOf(verified, outcomeAt(2, 'rejected')).verification).toBe('rejected')
    expect(statusOf(outcomeAt(1, 'pending_review'), outcomeAt(2, 'error')).verification).toBe('pending_review')
    expect(statusOf(outcomeAt(1, 'error'))).toEqual(unverified)
  })

  it('is expired from the day after the last day of the document', () => {
    expect(statusOf(outcomeAt(1, 'verified', today)).verification).toBe('verified')
    expect(statusOf(outcomeAt(1, 'verified', '2026-05-31')).verification).toBe('expired')
  })

  it('does not depend on the order in which outcomes arrive, nor on repeated ones', () => {
    const random = randomFrom(52)
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
    for (let round = 0; round < 2000; round++) {
      const outcomes = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
        outcomeAt(Math.floor(random() * 4), pick(['verified', 'pending_review', 'rejected', 'error'] as const), null),
      )
      const shuffled = [...outcomes, pick(outcomes)].toSorted(() => random() - 0.5)
      expect(statusOf(...shuffled)).toEqual(statusOf(...outcomes))
    }
  })
})
