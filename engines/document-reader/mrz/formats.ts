/** Formats of the machine-readable zone: ICAO Doc 9303 part 5 (TD1), part 6 (TD2), part 4 (TD3), and the French card of 1995 to 2021 (2 x 36). */
export type MrzFormatName = 'TD1' | 'TD2' | 'TD3' | 'FRA_CNI'

/** Characters `from` (inclusive) to `to` (exclusive) of a line, zero-based. */
export interface Span {
  readonly line: number
  readonly from: number
  readonly to: number
}

export type MrzField =
  | 'code'
  | 'issuer'
  | 'number'
  | 'nationality'
  | 'birth'
  | 'sex'
  | 'expiry'
  | 'optional'
  | 'names'
  | 'surname'
  | 'givenNames'

export type MrzCheckName = 'document_number' | 'date_of_birth' | 'date_of_expiry' | 'personal_number' | 'composite'

export interface MrzCheckRule {
  readonly name: MrzCheckName
  /** the spans that the digit covers, in order */
  readonly over: readonly Span[]
  readonly digit: Span
  /** alternative spans that some issuers use */
  readonly orOver?: readonly Span[]
  /** a filler is valid if everything it covers is filler (part 4, personal number) */
  readonly mayBeFiller?: true
}

export interface MrzFormat {
  readonly name: MrzFormatName
  readonly width: number
  /** one string per line: n digit, d digit or filler, a letter or filler, s sex, x anything */
  readonly grammar: readonly string[]
  /** start of the first line */
  readonly opening: RegExp
  readonly fields: Readonly<Partial<Record<MrzField, Span>>>
  readonly checks: readonly MrzCheckRule[]
}

export const span = (line: number, from: number, to: number): Span => ({ line, from, to })
export const digitAt = (line: number, at: number): Span => span(line, at, at + 1)
const dates = 'ddddddn'

export const mrzFormats: readonly MrzFormat[] = [
  {
    name: 'TD1',
    width: 30,
    grammar: [`aaaaa${'x'.repeat(25)}`, `${dates}s${dates}aaa${'x'.repeat(11)}n`, 'a'.repeat(30)],
    opening: /^[ACI][A-Z<]/,
    fields: {
      code: span(0, 0, 2),
      issuer: span(0, 2, 5),
      number: span(0, 5, 14),
      optional: span(0, 15, 30),
      birth: span(1, 0, 6),
      sex: digitAt(1, 7),
      expiry: span(1, 8, 14),
      nationality: span(1, 15, 18),
      names: span(2, 0, 30),
    },
    checks: [
      { name: 'document_number', over: [span(0, 5, 14)], digit: digitAt(0, 14) },
      { name: 'date_of_birth', over: [span(1, 0, 6)], digit: digitAt(1, 6) },
      { name: 'date_of_expiry', over: [span(1, 8, 14)], digit: digitAt(1, 14) },
      { name: 'composite', over: [span(0, 5, 30), span(1, 0, 7), span(1, 8, 15), span(1, 18, 29)], digit: digitAt(1, 29) },
    ],
  },
  {
    name: 'FRA_CNI',
    width: 36,
    grammar: [`${'a'.repeat(30)}${'x'.repeat(6)}`, `${'x'.repeat(12)}n${'a'.repeat(14)}${dates}sn`],
    opening: /^IDFRA/,
    fields: {
      code: span(0, 0, 2),
      issuer: span(0, 2, 5),
      surname: span(0, 5, 30),
      optional: span(0, 30, 36),
      number: span(1, 0, 12),
      givenNames: span(1, 13, 27),
      birth: span(1, 27, 33),
      sex: digitAt(1, 34),
    },
    checks: [
      { name: 'document_number', over: [span(1, 0, 12)], digit: digitAt(1, 12) },
      { name: 'date_of_birth', over: [span(1, 27, 33)], digit: digitAt(1, 33) },
      { name: 'composite', over: [span(0, 0, 36), span(1, 0, 35)], digit: digitAt(1, 35) },
    ],
  },
  {
    name: 'TD2',
    width: 36,
    grammar: ['a'.repeat(36), `${'x'.repeat(9)}naaa${dates}s${dates}${'x'.repeat(7)}n`],
    opening: /^[ACI][A-Z<]/,
    fields: {
      code: span(0, 0, 2),
      issuer: span(0, 2, 5),
      names: span(0, 5, 36),
      number: span(1, 0, 9),
      nationality: span(1, 10, 13),
      birth: span(1, 13, 19),
      sex: digitAt(1, 20),
      expiry: span(1, 21, 27),
      optional: span(1, 28, 35),
    },
    checks: [
      { name: 'document_number', over: [span(1, 0, 9)], digit: digitAt(1, 9) },
      { name: 'date_of_birth', over: [span(1, 13, 19)], digit: digitAt(1, 19) },
      { name: 'date_of_expiry', over: [span(1, 21, 27)], digit: digitAt(1, 27) },
      { name: 'composite', over: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 35)], digit: digitAt(1, 35) },
    ],
  },
  {
    name: 'TD3',
    width: 44,
    grammar: ['a'.repeat(44), `${'x'.repeat(9)}naaa${dates}s${dates}${'x'.repeat(14)}dn`],
    opening: /^P[A-Z<]/,
    fields: {
      code: span(0, 0, 2),
      issuer: span(0, 2, 5),
      names: span(0, 5, 44),
      number: span(1, 0, 9),
      nationality: span(1, 10, 13),
      birth: span(1, 13, 19),
      sex: digitAt(1, 20),
      expiry: span(1, 21, 27),
      optional: span(1, 28, 42),
    },
    checks: [
      { name: 'document_number', over: [span(1, 0, 9)], digit: digitAt(1, 9) },
      { name: 'date_of_birth', over: [span(1, 13, 19)], digit: digitAt(1, 19) },
      { name: 'date_of_expiry', over: [span(1, 21, 27)], digit: digitAt(1, 27) },
      { name: 'personal_number', over: [span(1, 28, 42)], digit: digitAt(1, 42), mayBeFiller: true },
      { name: 'composite', over: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 43)], digit: digitAt(1, 43) },
    ],
  },
]

export function mrzFormat(name: MrzFormatName): MrzFormat {
  const match = mrzFormats.find((format) => format.name === name)
  if (match === undefined) throw new RangeError(`no MRZ format ${name}`)
  return match
}

/** Returns the characters of a span; shorter or empty if the line is. */
export const slice = (lines: readonly string[], { line, from, to }: Span): string => (lines[line] ?? '').slice(from, to)
