import { parse } from 'mrz'
import { describe, expect, it } from 'vitest'
import { checkDigit } from '../../../../engines/document-reader/mrz/check-digits.ts'
import type { MrzFormatName } from '../../../../engines/document-reader/mrz/formats.ts'
import { isoDate } from '../../../../subgraphs/verification/document/dates.ts'
import { parseMrz } from '../../../../subgraphs/verification/document/machine-readable-zone.ts'

const now = Date.UTC(2026, 5, 15)

/** Specimens of ICAO Doc 9303 parts 4 to 6, and of the French card. */
const specimens: readonly (readonly [MrzFormatName, readonly string[]])[] = [
  ['TD3', ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10']],
  ['TD2', ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6']],
  ['TD1', ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<']],
  ['FRA_CNI', ['IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<', '8806923102858CORINNE<<<<<<<6512068F6']],
]

describe('a machine-readable zone', () => {
  it.each(specimens)('%s specimen has only valid check digits', (format, lines) => {
    expect(parseMrz(format, lines, now).checks.filter(({ holds }) => !holds)).toEqual([])
  })

  it('contains the fields of a passport', () => {
    const mrz = parseMrz(...(specimens[0] ?? ['TD3', []]), now)
    expect(mrz).toMatchObject({
      code: 'P',
      issuer: 'UTO',
      nationality: 'UTO',
      surname: 'ERIKSSON',
      givenNames: 'ANNA MARIA',
      number: 'L898902C3',
      sex: 'F',
    })
    expect(mrz.birth && isoDate(mrz.birth)).toBe('1974-08-12')
    expect(mrz.expiry && isoDate(mrz.expiry)).toBe('2012-04-15')
    expect(mrz.cut).toEqual({ surname: false, givenNames: false })
  })

  it('contains the fields of the French card, which has no expiry', () => {
    const mrz = parseMrz(...(specimens[3] ?? ['FRA_CNI', []]), now)
    expect(mrz).toMatchObject({
      issuer: 'FRA',
      nationality: 'FRA',
      surname: 'BERTHIER',
      givenNames: 'CORINNE',
      number: '880692310285',
      sex: 'F',
    })
    expect(mrz.expiry).toBeUndefined()
  })

  it('reports which names filled their field', () => {
    const long = ['P<UTONILAVADHANANANDA<<CHAYAPA<DEJTHAMRONG<K', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10']
    expect(parseMrz('TD3', long, now).cut).toEqual({ surname: true, givenNames: true })
  })

  it('reads a number of more than nine characters from the optional data (part 5, note j)', () => {
    const rest = 'ABC'
    const digit = checkDigit(`D23145890${rest}`)
    const lines = [`I<UTOD23145890<${rest}${digit}`.padEnd(30, '<'), '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<']
    const mrz = parseMrz('TD1', lines, now)
    expect(mrz.number).toBe(`D23145890${rest}`)
    expect(mrz.checks.find(({ name }) => name === 'document_number')?.holds).toBe(true)
  })

  it('detects every changed digit, and agrees with the mrz package on intact specimens', () => {
    for (const [format, lines] of specimens) {
      for (const [line, text] of lines.entries()) {
        for (const [column, character] of [...text].entries()) {
          if (!/\d/.test(character)) continue
          const forged = lines.map((other, at) =>
            at === line ? text.slice(0, column) + String((Number(character) + 1) % 10) + text.slice(column + 1) : other,
          )
          const failed = parseMrz(format, forged, now).checks.some(({ holds }) => !holds)
          expect(failed, `${format} ${line}:${column}`).toBe(true)
        }
      }
    }
    expect(parse([...(specimens[3]?.[1] ?? [])]).valid).toBe(true)
  })

  it.each(specimens)('%s is invalid, without an error, with characters outside the alphabet of zones', (format, lines) => {
    for (const sign of ['😀', 'é', 'ا', '\u0000', '\ud83d', ' ']) {
      const odd = lines.map((line) => line.replace(/\d/, sign))
      expect(parseMrz(format, odd, now).checks.some(({ holds }) => !holds)).toBe(true)
      expect(parseMrz(format, [sign], now).checks.every(({ holds }) => !holds)).toBe(true)
    }
  })
})
