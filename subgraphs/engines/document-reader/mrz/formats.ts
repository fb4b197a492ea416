/** Layouts of the machine readable zone: ICAO Doc 9303 part 5 (TD1), part 6 (TD2), part 4 (TD3), and the French card of 1995 to 2021 (2 x 36). */
export type ZoneFormatName = 'TD1' | 'TD2' | 'TD3' | 'FRA_CNI'

/** Characters `from` (included) to `to` (excluded) of a line, counted from 0. */
export interface Span {
  readonly line: number
  readonly from: number
  readonly to: number
}

export type ZoneField =
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

export type ZoneCheckName = 'document_number' | 'date_of_birth' | 'date_of_expiry' | 'personal_number' | 'composite'

export interface ZoneCheckRule {
  readonly name: ZoneCheckName
  /** what the digit is computed over, in this order */
  readonly over: readonly Span[]
  readonly digit: Span
  /** what some issuers compute it over instead */
  readonly orOver?: readonly Span[]
  /** the digit may be a filler when everything it covers is filler (part 4, personal number) */
  readonly mayBeFiller?: true
}

export interface ZoneFormat {
  readonly name: ZoneFormatName
  readonly width: number
  /** a line each: n digit, d digit or filler, a letter or filler, s sex, x anything */
  readonly grammar: readonly string[]
  /** how the first line begins */
  readonly opening: RegExp
  readonly fields: Readonly<Partial<Record<ZoneField, Span>>>
  readonly checks: readonly ZoneCheckRule[]
}

const span = (line: number, from: number, to: number): Span => ({ line, from, to })
const digit = (line: number, at: number): Span => span(line, at, at + 1)
const dates = 'ddddddn'

export const zoneFormats: readonly ZoneFormat[] = [
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
      sex: digit(1, 7),
      expiry: span(1, 8, 14),
      nationality: span(1, 15, 18),
      names: span(2, 0, 30),
    },
    checks: [
      { name: 'document_number', over: [span(0, 5, 14)], digit: digit(0, 14) },
      { name: 'date_of_birth', over: [span(1, 0, 6)], digit: digit(1, 6) },
      { name: 'date_of_expiry', over: [span(1, 8, 14)], digit: digit(1, 14) },
      { name: 'composite', over: [span(0, 5, 30), span(1, 0, 7), span(1, 8, 15), span(1, 18, 29)], digit: digit(1, 29) },
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
      sex: digit(1, 34),
    },
    checks: [
      { name: 'document_number', over: [span(1, 0, 12)], digit: digit(1, 12) },
      { name: 'date_of_birth', over: [span(1, 27, 33)], digit: digit(1, 33) },
      { name: 'composite', over: [span(0, 0, 36), span(1, 0, 35)], digit: digit(1, 35) },
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
      sex: digit(1, 20),
      expiry: span(1, 21, 27),
      optional: span(1, 28, 35),
    },
    checks: [
      { name: 'document_number', over: [span(1, 0, 9)], digit: digit(1, 9) },
      { name: 'date_of_birth', over: [span(1, 13, 19)], digit: digit(1, 19) },
      { name: 'date_of_expiry', over: [span(1, 21, 27)], digit: digit(1, 27) },
      { name: 'composite', over: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 35)], digit: digit(1, 35) },
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
      sex: digit(1, 20),
      expiry: span(1, 21, 27),
      optional: span(1, 28, 42),
    },
    checks: [
      { name: 'document_number', over: [span(1, 0, 9)], digit: digit(1, 9) },
      { name: 'date_of_birth', over: [span(1, 13, 19)], digit: digit(1, 19) },
      { name: 'date_of_expiry', over: [span(1, 21, 27)], digit: digit(1, 27) },
      { name: 'personal_number', over: [span(1, 28, 42)], digit: digit(1, 42), mayBeFiller: true },
      { name: 'composite', over: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 43)], digit: digit(1, 43) },
    ],
  },
]

export function zoneFormat(name: ZoneFormatName): ZoneFormat {
  const found = zoneFormats.find((format) => format.name === name)
  if (found === undefined) throw new RangeError(`no zone format ${name}`)
  return found
}

/** The characters of a span; shorter or empty where the line is. */
export const slice = (lines: readonly string[], { line, from, to }: Span): string => (lines[line] ?? '').slice(from, to)

const weights = [7, 3, 1] as const

/**
 * Check digit with weights 7, 3, 1 (ICAO Doc 9303 part 3, 4.9): 0-9 count as themselves, A-Z as 10 to 35, fillers as 0.
 * @param text - characters A-Z, 0-9 and `<`; anything else counts as 0
 * @returns one digit
 */
export function checkDigit(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) {
    const value = Number.parseInt(text.charAt(at), 36)
    sum += (Number.isNaN(value) ? 0 : value) * (weights[at % 3] ?? 0)
  }
  return String(sum % 10)
}

/** Whether a check digit agrees with what it covers. */
export function checkHolds(lines: readonly string[], rule: ZoneCheckRule): boolean {
  const text = (parts: readonly Span[]): string => parts.map((part) => slice(lines, part)).join('')
  const covered = text(rule.over)
  const found = slice(lines, rule.digit)
  if (found === '<' && rule.mayBeFiller) return /^<*$/.test(covered)
  return found === checkDigit(covered) || (rule.orOver !== undefined && found === checkDigit(text(rule.orOver)))
}

/**
 * The checks that apply to these lines. A TD1 or TD2 number longer than nine characters has a filler where its check digit would be; the rest of
 * the number and the digit stand at the start of the optional data (part 5, 4.2.2 note j); issuers read the note both ways, some count the filler.
 */
export function checksOf(format: ZoneFormat, lines: readonly string[]): readonly ZoneCheckRule[] {
  const long = longNumber(format, lines)
  return long === undefined ? format.checks : format.checks.map((rule) => (rule.name === 'document_number' ? long : rule))
}

function longNumber(format: ZoneFormat, lines: readonly string[]): ZoneCheckRule | undefined {
  const rule = format.checks.find(({ name }) => name === 'document_number')
  const { number, optional } = format.fields
  if (format.name !== 'TD1' && format.name !== 'TD2') return undefined
  if (rule === undefined || number === undefined || optional === undefined || slice(lines, rule.digit) !== '<') return undefined
  const rest = /^([A-Z0-9]*)([0-9])(?:<|$)/.exec(slice(lines, optional))?.[1]
  if (rest === undefined) return undefined
  const end = optional.from + rest.length
  const tail = span(optional.line, optional.from, end)
  return { name: 'document_number', over: [number, tail], orOver: [number, rule.digit, tail], digit: digit(optional.line, end) }
}
