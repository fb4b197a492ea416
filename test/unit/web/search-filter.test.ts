import { expect, it } from 'vitest'
import { isFilter, isForVerifications, matches, noFilter } from '../../../web/console/search/search-filter.ts'

const job = { outcome: 'REJECTED', countryCode: 'CIV', queuedAt: '2026-11-28T12:00:00.000Z' } as const

it('finds a verification by outcome, country and days, the last day included', () => {
  expect(matches(job, noFilter)).toBe(true)
  expect(matches(job, { outcome: 'REJECTED', country: ' CIV ', from: '2026-11-28', to: '2026-11-28' })).toBe(true)
  for (const other of [{ outcome: 'VERIFIED' as const }, { country: 'SEN' }, { from: '2026-11-30' }, { to: '2026-11-26' }])
    expect(matches(job, { ...noFilter, ...other })).toBe(false)
  expect(matches({ ...job, outcome: null }, { ...noFilter, outcome: 'REJECTED' })).toBe(false)
})

it('limits the search to verifications by what only they have', () => {
  expect([noFilter, { ...noFilter, country: ' ' }, { ...noFilter, from: '2026-11-28' }].map(isFilter)).toEqual([false, false, true])
  expect(
    [
      { ...noFilter, from: '2026-11-28' },
      { ...noFilter, country: 'SEN' },
    ].map(isForVerifications),
  ).toEqual([false, true])
})
