import { describe, expect, it } from 'vitest'
import { readPersonalDetails } from '../../../../subgraphs/verification/chip/personal-details.ts'
import { tagged } from '../../../support/chips/der.ts'

const file = (...members: readonly Uint8Array[]): Buffer => tagged(0x6b, tagged(0x5c, Buffer.from('5f0e5f2b', 'hex')), ...members)
const name = (text: string): Buffer => tagged(0x5f0e, Buffer.from(text))
const birth = (bytes: Uint8Array): Buffer => tagged(0x5f2b, bytes)

describe('the personal details of a chip', () => {
  it('are its full name in national characters, and the date of birth with its century', () => {
    expect(readPersonalDetails(file(name('DIOP<NDIAYE<<AWA<MARIÈME'), birth(Buffer.from('19870714'))))).toEqual({
      name: { surname: 'DIOP NDIAYE', givenNames: 'AWA MARIÈME' },
      birth: { year: 1987, month: 7, day: 14 },
    })
    expect(readPersonalDetails(file(tagged(0x5f10, Buffer.from('123')), name('ديوب<<أوا'), birth(Buffer.from('19870714', 'hex'))))).toEqual(
      {
        name: { surname: 'ديوب', givenNames: 'أوا' },
        birth: { year: 1987, month: 7, day: 14 },
      },
    )
  })

  it.each<[string, Uint8Array]>([
    ['no members', file()],
    ['a name without letters', file(name('<<'))],
    ['a date that is partly unknown', file(birth(Buffer.from('19870000')))],
    ['an invalid day', file(birth(Buffer.from('19870231')))],
    ['no date', file(birth(Buffer.from('1987')))],
  ])('are empty with %s', (_, content) => {
    expect(readPersonalDetails(content)).toEqual({ name: undefined, birth: undefined })
  })

  it.each<[string, Uint8Array]>([
    ['another file', tagged(0x61, Buffer.of(1))],
    ['bytes that are cut short', file(name('DIOP<<AWA')).subarray(0, 10)],
    ['a name that is not text', file(tagged(0x5f0e, Buffer.of(0xff, 0xfe)))],
  ])('are unreadable as %s', (_, content) => {
    expect(() => readPersonalDetails(content)).toThrow(/is truncated|is missing|is not text/)
  })
})
