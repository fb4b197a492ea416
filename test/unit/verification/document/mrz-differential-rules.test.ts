import { parse } from 'mrz'
import { describe, expect, it } from 'vitest'
import { generateHolder } from '../../../../demonstration/documents/holder.ts'
import { linesFrench, linesTd1, linesTd2, linesTd3 } from '../../../../demonstration/documents/machine-readable-lines.ts'
import { type SeededRandom, seededRandom } from '../../../../demonstration/drawing/seeded-random.ts'
import type { MrzCheckName, MrzFormatName } from '../../../../engines/document-reader/mrz/formats.ts'
import { type CalendarDate, isoDate } from '../../../../subgraphs/verification/document/dates.ts'
import { parseMrz } from '../../../../subgraphs/verification/document/machine-readable-zone.ts'

/** Compares this parser with the independent npm package mrz, on generated lines, intact and damaged. */
const now = Date.UTC(2026, 5, 15)
const holders = 400

const formats: readonly (readonly [MrzFormatName, (seed: number) => readonly string[]])[] = [
  ['TD1', (seed) => linesTd1(generateHolder(seed))],
  ['TD1', (seed) => linesTd1(generateHolder(seed, { documentNumber: `${generateHolder(seed).documentNumber}X${seed}` }))],
  ['TD2', (seed) => linesTd2(generateHolder(seed))],
  ['TD3', (seed) => linesTd3(generateHolder(seed))],
  [
    'FRA_CNI',
    (seed) => linesFrench(generateHolder(seed, { issuingCountry: 'FRA', nationality: 'FRA', documentNumber: frenchNumber(seed) })),
  ],
]

/** Returns YYMM of issue, department, office, running number. */
const frenchNumber = (seed: number): string => `0803${String(75_000_000 + seed * 7919).slice(0, 8)}`

const digitFields: Readonly<Record<string, MrzCheckName>> = {
  documentNumberCheckDigit: 'document_number',
  birthDateCheckDigit: 'date_of_birth',
  expirationDateCheckDigit: 'date_of_expiry',
  personalNumberCheckDigit: 'personal_number',
  compositeCheckDigit: 'composite',
}

const packed = (date: CalendarDate | undefined): string | undefined => date && isoDate(date).slice(2).replaceAll('-', '')

/** Replaces one or two characters of the lines by others of their class. */
function damaged(lines: readonly string[], random: SeededRandom): readonly string[] {
  const cells = lines.flatMap((text, line) => [...text].flatMap((character, column) => (character === '<' ? [] : [{ line, column }])))
  const places = [random.pick(cells), random.pick(cells)].slice(0, random.next() < 0.5 ? 1 : 2)
  return lines.map((text, at) => {
    const characters = [...text]
    for (const { line, column } of places.filter((place) => place.line === at)) {
      characters[column] = /\d/.test(text.charAt(column)) ? random.pick([...'0123456789']) : random.pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])
      if (line === 0 && column < 5) characters[column] = text.charAt(column)
    }
    return characters.join('')
  })
}

const single = (name: string): string => name.replace(/ +/g, ' ')

function compare(format: MrzFormatName, lines: readonly string[]): void {
  const ours = parseMrz(format, lines, now)
  const theirs = parse([...lines])
  const about = lines.join('\n')
  for (const { field, valid } of theirs.details) {
    const check = field === null ? undefined : digitFields[field]
    if (check === undefined) continue
    // both parsers treat a non-digit as a wrong check digit
    expect(ours.checks.find(({ name }) => name === check)?.holds, `${check} of\n${about}`).toBe(valid)
  }
  const { documentNumber, birthDate, expirationDate, sex, lastName, firstName } = theirs.fields
  if (documentNumber && format !== 'FRA_CNI') expect(ours.number, about).toBe(documentNumber)
  if (birthDate) expect(packed(ours.birth), about).toBe(birthDate)
  if (expirationDate) expect(packed(ours.expiry), about).toBe(expirationDate)
  if (sex) expect(ours.sex, about).toBe({ male: 'M', female: 'F', nonspecified: 'X' }[sex])
  // the package reads two fillers between given names of the French card as two spaces
  if (lastName) expect(ours.surname, about).toBe(single(lastName))
  if (firstName) expect(ours.givenNames, about).toBe(single(firstName))
}

describe('the parser of machine-readable zones and the mrz package', () => {
  it.each(formats)(`agree on ${holders} intact zones: %s`, (format, linesOf) => {
    for (let seed = 0; seed < holders; seed++) compare(format, linesOf(seed))
  })

  it.each(formats)(`agree on ${holders} damaged zones: %s`, (format, linesOf) => {
    const random = seededRandom(4711)
    for (let seed = 0; seed < holders; seed++) compare(format, damaged(linesOf(seed), random))
  })
})
