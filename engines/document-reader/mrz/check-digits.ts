import { digitAt, type MrzCheckRule, type MrzFormat, type Span, slice, span } from './formats.ts'

const weights = [7, 3, 1] as const

/**
 * Computes a check digit with weights 7, 3, 1 (ICAO Doc 9303 part 3, 4.9): A-Z count as 10 to 35, fillers as 0.
 * @param text - characters A-Z, 0-9 and `<`; others count as 0
 */
export function checkDigit(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) {
    const value = Number.parseInt(text.charAt(at), 36)
    sum += (Number.isNaN(value) ? 0 : value) * (weights[at % 3] ?? 0)
  }
  return String(sum % 10)
}

/** Whether a check digit matches the characters that it covers. */
export function checkHolds(lines: readonly string[], rule: MrzCheckRule): boolean {
  const text = (parts: readonly Span[]): string => parts.map((part) => slice(lines, part)).join('')
  const covered = text(rule.over)
  const printed = slice(lines, rule.digit)
  if (printed === '<' && rule.mayBeFiller) return /^<*$/.test(covered)
  return printed === checkDigit(covered) || (rule.orOver !== undefined && printed === checkDigit(text(rule.orOver)))
}

/**
 * Returns the check rules for these lines. A TD1 or TD2 number longer than nine characters has a filler in place of its check digit; the rest and the
 * digit are at the start of the optional data (part 5, 4.2.2 note j). Issuers disagree on whether the filler counts.
 */
export function checksOf(format: MrzFormat, lines: readonly string[]): readonly MrzCheckRule[] {
  const long = longNumber(format, lines)
  return long === undefined ? format.checks : format.checks.map((rule) => (rule.name === 'document_number' ? long : rule))
}

function longNumber(format: MrzFormat, lines: readonly string[]): MrzCheckRule | undefined {
  const rule = format.checks.find(({ name }) => name === 'document_number')
  const { number, optional } = format.fields
  if (format.name !== 'TD1' && format.name !== 'TD2') return undefined
  if (rule === undefined || number === undefined || optional === undefined || slice(lines, rule.digit) !== '<') return undefined
  const rest = /^([A-Z0-9]*)([0-9])(?:<|$)/.exec(slice(lines, optional))?.[1]
  if (rest === undefined) return undefined
  const end = optional.from + rest.length
  const tail = span(optional.line, optional.from, end)
  return { name: 'document_number', over: [number, tail], orOver: [number, rule.digit, tail], digit: digitAt(optional.line, end) }
}
