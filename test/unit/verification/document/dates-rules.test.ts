import { describe, expect, it } from 'vitest'
import { compareDates, dayOf, findDates, isoDate, mrzDate, sameDate } from '../../../../subgraphs/verification/document/dates.ts'

const now = Date.UTC(2026, 5, 15)
const read = (text: string, country?: string): string[] => (findDates(text, country, 2026)[0]?.readings ?? []).map(isoDate)

describe('a written date', () => {
  it.each([
    ['1987-07-14', '1987-07-14'],
    ['1987/7/14', '1987-07-14'],
    ['14/07/1987', '1987-07-14'],
    ['14.07.1987', '1987-07-14'],
    ['14 07 1987', '1987-07-14'],
    ['14-07-87', '1987-07-14'],
    ['01.02.05', '2005-02-01'],
    ['14 juillet 1987', '1987-07-14'],
    ['1er août 1990', '1990-08-01'],
    ['14 JUIL 1987', '1987-07-14'],
    ['14 JUL/JUL 87', '1987-07-14'],
    ['July 14, 1987', '1987-07-14'],
    ['3 de marzo de 1990', '1990-03-03'],
    ['12. März 1990', '1990-03-12'],
    ['19870714', '1987-07-14'],
    ['14071987', '1987-07-14'],
    ['١٤/٠٧/١٩٨٧', '1987-07-14'],
    ['14 يوليو 1987', '1987-07-14'],
    ['29 février 2000', '2000-02-29'],
    ['né le 03/12/1962 à Dakar', '1962-12-03'],
  ])('%s is %s', (text, date) => {
    expect(read(text)[0]).toBe(date)
  })

  it.each(['d1 12 1999', 'l4.07.1987', 'o3 NOV 1991', '31 12 19q9', '14 JUIL 19s7'])('%s, misread in one digit, is no date', (text) => {
    expect(read(text)).toEqual([])
  })

  it.each(['30/02/1990', '1990-13-40', '29 février 1999', 'hier', '', '12/1990', '123456789'])('%s is no date', (text) => {
    expect(read(text)).toEqual([])
  })

  it('has both readings when day and month are ambiguous, the usual one of the country first', () => {
    expect(read('03/04/1990')).toEqual(['1990-04-03', '1990-03-04'])
    expect(read('03/04/1990', 'USA')).toEqual(['1990-03-04', '1990-04-03'])
  })

  it('is found at every position of a line', () => {
    expect(findDates('14.07.1987 … 20.05.2031', undefined, 2076).map(({ readings }) => readings[0]?.year)).toEqual([1987, 2031])
  })
})

describe('a date of a machine-readable zone', () => {
  it.each([
    ['870714', 'birth', '1987-07-14'],
    ['260614', 'birth', '2026-06-14'],
    ['260616', 'birth', '1926-06-16'],
    ['310520', 'expiry', '2031-05-20'],
    ['990520', 'expiry', '1999-05-20'],
    ['75<<<<', 'birth', '1975'],
    ['7503<<', 'birth', '1975-03'],
    ['750000', 'birth', '1975'],
  ] as const)('%s (%s) is %s', (text, kind, date) => {
    const match = mrzDate(text, kind, now)
    expect(match && isoDate(match)).toBe(date)
  })

  it.each(['8707I4', '871314', '870732', '<<<<<<', ''])('%s is no date', (text) => {
    expect(mrzDate(text, 'birth', now)).toBeUndefined()
  })

  it('matches any day when its day is unknown', () => {
    expect(sameDate({ year: 1975, month: 3, day: 0 }, { year: 1975, month: 3, day: 9 })).toBe(true)
    expect(sameDate({ year: 1975, month: 3, day: 0 }, { year: 1975, month: 4, day: 9 })).toBe(false)
  })
})

it('a document is valid through its last day', () => {
  const expiry = { year: 2026, month: 6, day: 15 }
  expect(compareDates(expiry, dayOf(Date.UTC(2026, 5, 15, 23, 59)))).toBe(0)
  expect(compareDates(expiry, dayOf(Date.UTC(2026, 5, 16)))).toBeLessThan(0)
})
