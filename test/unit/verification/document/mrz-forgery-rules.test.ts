import { describe, expect, it } from 'vitest'
import { type MrzFormatName, mrzFormat, slice } from '../../../../engines/document-reader/mrz/formats.ts'
import { isClassMisread } from '../../../../engines/document-reader/mrz/look-alikes.ts'
import { type CellReading, mergeReadings } from '../../../../engines/document-reader/mrz/merge-readings.ts'
import { covered, type Misread, repaired } from '../../../../engines/document-reader/mrz/misreads.ts'
import type { MrzReading } from '../../../../engines/document-reader/mrz/mrz-reading.ts'
import { parseMrz } from '../../../../subgraphs/verification/document/machine-readable-zone.ts'
import { type TrustedMrz, trusted } from '../../../../subgraphs/verification/document/trusted-mrz.ts'
import type { VisualZone } from '../../../../subgraphs/verification/document/visual-zone.ts'

const now = Date.UTC(2026, 5, 15)
const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<']

/** A zone of each format whose number has letters and digits that readers confuse. */
const zones: readonly (readonly [MrzFormatName, readonly string[]])[] = [
  ['TD3', ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10']],
  ['TD2', ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6']],
  ['TD1', ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<']],
  ['FRA_CNI', ['IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<', '8806923102858CORINNE<<<<<<<6512068F6']],
]

/** Returns the reading on which two readers agree. */
function read(format: MrzFormatName, lines: readonly string[]): MrzReading {
  const cells: CellReading = lines.map((line) => [...line].map((text) => ({ text, confidence: 0.95 })))
  return mergeReadings(mrzFormat(format), [cells, cells]).result
}

function printing(format: MrzFormatName, lines: readonly string[]): VisualZone {
  const { number, birth, expiry, surname, givenNames } = parseMrz(format, lines, now)
  const dates = [birth, expiry].flatMap((date) => (date === undefined ? [] : [{ readings: [date], at: 0 }]))
  return { dates, lines: [number, surname, givenNames, `NO ${number}`], confidence: 0.95 }
}

const silent: VisualZone = { dates: [], lines: [], confidence: 0 }
const value = (character: string): number => (character === '<' ? 0 : Number.parseInt(character, 36))

interface Forgery {
  readonly slip: Misread
  readonly forged: readonly string[]
  /** the reading of both readers */
  readonly reading: MrzReading
}

/** Returns all single-character changes at positions that check digits cover, except changes that no check digit detects. */
function forgeries(format: MrzFormatName, lines: readonly string[]): readonly Forgery[] {
  return covered(mrzFormat(format), lines).flatMap(({ line, column }) => {
    const from = slice(lines, { line, from: column, to: column + 1 })
    return characters.flatMap((to) => {
      // the weights are 7, 3 and 1: values that differ by ten give the same check digit
      if ((value(from) - value(to)) % 10 === 0) return []
      const forged = repaired(lines, { line, column, to })
      const reading = read(format, forged)
      // every reader reads a digit in a letter position as that letter
      return reading.repairs.length > 0 ? [] : [{ slip: { line, column, from, to }, forged, reading }]
    })
  })
}

describe.each(zones)('a forged %s zone', (format, lines) => {
  const original = parseMrz(format, lines, now)
  const printsOriginal = printing(format, lines)
  const all = forgeries(format, lines)
  const holds = (reading: MrzReading, print: VisualZone): boolean => trusted(reading, 'front', print, now).failed.length === 0
  const about = ({ line, column, from, to }: Misread): string => `${line}:${column} ${from}>${to}`

  it('is accepted without a print, or with a print of the forgery, only if its fields are unchanged: at every position, by every character', () => {
    const accepted = all.filter(({ forged, reading }) => {
      // a check digit that became a letter changes no field
      const changed = JSON.stringify({ ...parseMrz(format, forged, now), checks: [] }) !== JSON.stringify({ ...original, checks: [] })
      return holds(reading, silent) || (changed && holds(reading, printing(format, forged)))
    })
    expect(accepted.map(({ slip }) => about(slip))).toEqual([])
  })

  it('is accepted only as its original, and only when a confusable letter and digit differ from the print', () => {
    const wrong = all.filter(({ slip, reading }) => {
      const { content, failed, repairs } = trusted(reading, 'front', printsOriginal, now)
      const isRepaired = JSON.stringify(content) === JSON.stringify(original) && isClassMisread(slip.from, slip.to) && repairs.length > 0
      return failed.length === 0 && !isRepaired
    })
    expect(wrong.map(({ slip }) => about(slip))).toEqual([])
  })

  it('is never accepted with another digit, whatever the print', () => {
    const digits = all.filter(({ slip }) => /\d/.test(slip.from) && /\d/.test(slip.to))
    expect(digits.length).toBeGreaterThan(150)
    const accepted = digits.filter(({ forged, reading }) =>
      [silent, printsOriginal, printing(format, forged)].some((print) => holds(reading, print)),
    )
    expect(accepted.map(({ slip }) => about(slip))).toEqual([])
  })
})

describe('a zone that two readers misread identically', () => {
  const [, passport] = zones[0] ?? ['TD3', []]
  const number = (text: string): readonly string[] => passport.map((line) => line.replace('L898902C3', text))
  const misread = (text: string, print: VisualZone): TrustedMrz => trusted(read('TD3', number(text)), 'front', print, now)

  it('is repaired when the print confirms the only repair, in one position and in two, and the repair is reported', () => {
    const print = printing('TD3', passport)
    expect(misread('L8989O2C3', print)).toMatchObject({ failed: [], repairs: [{ column: 5, from: 'O', to: '0' }] })
    const two = misread('LB989O2C3', print)
    expect(two).toMatchObject({ failed: [], content: { number: 'L898902C3' } })
    expect(two.repairs).toHaveLength(2)
  })

  it('goes to review when the print is silent: the slips explain it, and nothing is repaired', () => {
    for (const [text, slips] of [
      ['L8989O2C3', 1],
      ['LB989O2C3', 2],
    ] as const) {
      const trustedZone = misread(text, silent)
      expect(trustedZone).toMatchObject({ settled: false, slips, repairs: [] })
      expect(trustedZone.failed).toContain('document_number')
    }
  })

  it('is not repaired in more than two positions', () => {
    expect(misread('LB9B9O2C3', printing('TD3', passport)).failed).not.toEqual([])
  })

  it('is a fault of the document when no slip explains it', () => {
    // a date of birth has only digits, and no confusable digit would repair it
    const forged = passport.map((line) => line.replace('7408122', '7408152'))
    expect(trusted(read('TD3', forged), 'front', printing('TD3', forged), now)).toMatchObject({ settled: true })
    expect(read('TD3', forged).slips).toBeUndefined()
  })
})
