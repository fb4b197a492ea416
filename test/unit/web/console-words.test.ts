import { describe, expect, it } from 'vitest'
import { actionsNamed } from '../../../web/console/audit/named-actions.ts'
import { isAlike } from '../../../web/console/review/identity-rows.ts'
import { findingsOf } from '../../../web/shared/verification/findings.ts'

describe('the search for audited actions', () => {
  const names: Readonly<Record<string, string>> = { 'verification.review.decide': 'Décider un dossier', login: 'Se connecter' }
  const search = (text: string) => actionsNamed(text, Object.keys(names), (code) => names[code] ?? '')

  it('finds actions by words of their name and code, regardless of case and accents', () => {
    expect([search('DECIDER'), search('dossier review'), search('decide'), search(' ')]).toEqual([
      ['verification.review.decide'],
      ['verification.review.decide'],
      ['verification.review.decide'],
      undefined,
    ])
  })

  it('passes on a text that names no known action, such as one of a newer release', () => {
    expect(search('action.of.tomorrow ')).toEqual(['action.of.tomorrow'])
  })
})

it('marks values of a document as different only where case, accents, separators and the length of a country code do not explain it', () => {
  expect([isAlike('Éloïse-Marie', 'ELOISE MARIE'), isAlike('FR', 'FRA'), isAlike('1980-01-02', '1980 01 02')]).toEqual([true, true, true])
  expect([isAlike('AWA', 'AWAB'), isAlike('FR', 'DEU'), isAlike('أوا', 'أوه')]).toEqual([false, false, false])
})

it('takes findings as established only where the platform says so, and of earlier results at most the first of a rejection', () => {
  const reasons = ['FACE_MISMATCH', 'NAME_MISMATCH'] as const
  const established = (rejectingReasons: readonly string[] | null, outcome: 'REJECTED' | 'PENDING_REVIEW') =>
    findingsOf({ reasons, rejectingReasons }, outcome).map(({ isEstablished }) => isEstablished)
  expect(established(['NAME_MISMATCH'], 'REJECTED')).toEqual([false, true])
  expect(established(null, 'REJECTED')).toEqual([true, false])
  expect(established(null, 'PENDING_REVIEW')).toEqual([false, false])
})
