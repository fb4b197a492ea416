import { checkDigit, checkHolds, checksOf } from './check-digits.ts'
import { type MrzFormat, slice } from './formats.ts'
import { classPartners, digitsLike } from './look-alikes.ts'

/** A character and its replacement. */
export interface Misread {
  readonly line: number
  readonly column: number
  readonly from: string
  readonly to: string
}

/** Returns the lines with one character corrected. */
export const repaired = (lines: readonly string[], { line, column, to }: Pick<Misread, 'line' | 'column' | 'to'>): string[] =>
  lines.map((text, at) => (at === line ? text.slice(0, column) + to + text.slice(column + 1) : text))

export const allHold = (format: MrzFormat, lines: readonly string[]): boolean =>
  checksOf(format, lines).every((rule) => checkHolds(lines, rule))

/** Returns the positions that check digits cover. */
export function covered(format: MrzFormat, lines: readonly string[]): { line: number; column: number }[] {
  const places = new Map<string, { line: number; column: number }>()
  for (const rule of checksOf(format, lines)) {
    for (const { line, from, to } of [...rule.over, rule.digit]) {
      for (let column = from; column < to; column++) places.set(`${line}:${column}`, { line, column })
    }
  }
  return [...places.values()]
}

/**
 * Counts the OCR errors that would explain failing check digits: a letter for a digit or the reverse in one or two positions that allow both, or one
 * digit for a similar one.
 * @returns the minimum; undefined if the digits hold or two errors do not explain it: then the digits of the document itself are wrong
 */
export function misreadsThatExplain(format: MrzFormat, lines: readonly string[]): 1 | 2 | undefined {
  if (allHold(format, lines)) return undefined
  const places = covered(format, lines)
  const explains = (...slips: readonly Misread[]): boolean => allHold(format, slips.reduce(repaired, [...lines]))
  const betweenClasses = slipsAt(format, lines, places, classPartners)
  if (betweenClasses.some((slip) => explains(slip))) return 1
  if (slipsAt(format, lines, places, digitsLike).some((slip) => explains(slip))) return 1
  return pairsByComposite(format, lines, betweenClasses).some((pair) => explains(...pair)) ? 2 : undefined
}

function slipsAt(
  format: MrzFormat,
  lines: readonly string[],
  places: readonly { line: number; column: number }[],
  partnersOf: (character: string) => readonly string[],
): Misread[] {
  return places.flatMap(({ line, column }) => {
    const from = slice(lines, { line, from: column, to: column + 1 })
    return partnersOf(from)
      .filter((to) => mayStand(format.grammar[line]?.charAt(column) ?? 'x', to))
      .map((to) => ({ line, column, from, to }))
  })
}

/** Whether the grammar of a line allows letters, digits or both at a position. */
function mayStand(rule: string, character: string): boolean {
  if (rule === 'x') return true
  return /\d/.test(character) === (rule === 'n' || rule === 'd')
}

/** Yields the pairs that satisfy the composite digit, a tenth of all: the digit is a sum, so each error shifts it by a fixed amount. */
function* pairsByComposite(format: MrzFormat, lines: readonly string[], slips: readonly Misread[]): Generator<readonly [Misread, Misread]> {
  const rule = format.checks.find(({ name }) => name === 'composite')
  if (rule === undefined) return
  const digit = (of: readonly string[]): number => Number(checkDigit(rule.over.map((part) => slice(of, part)).join('')))
  const read = digit(lines)
  const difference = Number(slice(lines, rule.digit)) - read
  const moved = slips.map((slip) => ({ slip, by: digit(repaired(lines, slip)) - read }))
  for (const [at, first] of moved.entries()) {
    for (const second of moved.slice(at + 1)) {
      const onePlace = first.slip.line === second.slip.line && first.slip.column === second.slip.column
      if (!onePlace && (difference - first.by - second.by) % 10 === 0) yield [first.slip, second.slip]
    }
  }
}
