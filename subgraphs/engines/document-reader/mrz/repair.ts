import type { ZoneReading, ZoneRepair } from '../document-reader.ts'
import { checkHolds, checksOf, slice, type ZoneFormat } from './formats.ts'
import type { CellReading, ReadCell } from './reading.ts'

/** Characters that readers of print mistake for one another. */
const alike: readonly string[] = [
  '0OQD',
  '1IL',
  '2Z',
  '5S',
  '8B',
  '6G',
  '4A',
  '17',
  '1T',
  '38',
  '56',
  '08',
  '09',
  '7T',
  'UV',
  'MN',
  'CG',
  'EF',
  'PR',
  'KX',
]

/** Pairs of a letter and a digit: nobody forges a number by writing O for 0. */
const classOnly: readonly string[] = ['0O', '0Q', '0D', '1I', '1L', '1T', '2Z', '5S', '8B', '6G', '4A', '7T']

/** Whether two characters are a letter and a digit that readers take for one another. */
export const isClassSlip = (a: string, b: string): boolean => a !== b && classOnly.some((pair) => pair.includes(a) && pair.includes(b))

const areAlike = (a: string, b: string): boolean => a === b || alike.some((set) => set.includes(a) && set.includes(b))

/** How many characters of two texts agree or look alike. */
export const lookAlikes = (text: string, other: string): number =>
  [...text].filter((character, at) => areAlike(character, other.charAt(at))).length

/**
 * Makes one of several readings: at each place the character that its readers are surest of. Check digits choose nothing; they only say
 * whether another reading is needed, and what a single slip of the reader would explain.
 */
export function settle(format: ZoneFormat, readings: readonly CellReading[]): { holds: boolean; result: ZoneReading } {
  const voted = vote(readings)
  const { lines, repairs } = fitGrammar(format, voted)
  const valid = allHold(format, lines)
  const confidences = voted.flat().filter(({ text }) => text !== '<')
  const proposal = valid ? undefined : propose(format, lines, readings)
  const result: ZoneReading = {
    format: format.name,
    lines,
    repairs,
    confidence: confidences.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, confidences.length),
    readings: readings.length,
    settled: valid || (isSettled(format, readings) && proposal?.doubtful !== true),
    ...(proposal === undefined ? {} : { proposal }),
  }
  return { holds: valid, result }
}

const allHold = (format: ZoneFormat, lines: readonly string[]): boolean => checksOf(format, lines).every((rule) => checkHolds(lines, rule))

function vote(readings: readonly CellReading[]): ReadCell[][] {
  const [first = []] = readings
  return first.map((line, at) =>
    line.map((_, column) => {
      const votes = new Map<string, number>()
      for (const reading of readings) {
        const { text, confidence } = reading[at]?.[column] ?? { text: '', confidence: 0 }
        if (text !== '') votes.set(text, (votes.get(text) ?? 0) + confidence)
      }
      const [winner] = [...votes].sort((a, b) => b[1] - a[1])
      return winner === undefined ? { text: '', confidence: 0 } : { text: winner[0], confidence: winner[1] / readings.length }
    }),
  )
}

/** Semaphore where only one class of characters may stand: a look-alike of the other class becomes its partner, and is reported. */
function fitGrammar(format: ZoneFormat, cells: readonly (readonly ReadCell[])[]): { lines: string[]; repairs: ZoneRepair[] } {
  const repairs: ZoneRepair[] = []
  const lines = format.grammar.map((grammar, line) =>
    [...grammar]
      .map((rule, column) => {
        const from = cells[line]?.[column]?.text || '<'
        const to = allowed(rule, from)
        if (to !== from) repairs.push({ line, column, from, to, because: 'grammar' })
        return to
      })
      .join(''),
  )
  return { lines, repairs }
}

function allowed(rule: string, character: string): string {
  const digit = /\d/.test(character)
  const partner = (wanted: RegExp): string | undefined =>
    classOnly
      .find((pair) => pair.includes(character))
      ?.replace(character, '')
      .match(wanted)?.[0]
  if (rule === 'a' && digit) return partner(/[A-Z]/) ?? character
  if ((rule === 'n' || rule === 'd') && !digit && character !== '<') return partner(/\d/) ?? character
  if (rule === 's' && !'MFX<'.includes(character)) return areAlike(character, 'M') ? 'M' : areAlike(character, 'F') ? 'F' : '<'
  return character
}

/** The places that check digits look at. */
function covered(format: ZoneFormat, lines: readonly string[]): { line: number; column: number }[] {
  const places = new Map<string, { line: number; column: number }>()
  for (const rule of checksOf(format, lines)) {
    for (const { line, from, to } of [...rule.over, rule.digit]) {
      for (let column = from; column < to; column++) places.set(`${line}:${column}`, { line, column })
    }
  }
  return [...places.values()]
}

/** Whether two readings see the same wherever check digits look. */
function isSettled(format: ZoneFormat, readings: readonly CellReading[]): boolean {
  const [first, second] = [readings[0], readings[1]]
  if (first === undefined || second === undefined) return false
  const lines = fitGrammar(format, first).lines
  return covered(format, lines).every(({ line, column }) => {
    const [a, b] = [first[line]?.[column], second[line]?.[column]]
    return a !== undefined && b !== undefined && a.text !== '' && a.text === b.text
  })
}

/**
 * The one substitution by a look-alike, or by what another reading saw, with which every check digit holds, when there is exactly one. Whether it counts is for those who know the
 * printed zone to say.
 */
function propose(format: ZoneFormat, lines: readonly string[], readings: readonly CellReading[]): ZoneReading['proposal'] {
  const found: NonNullable<ZoneReading['proposal']>[] = []
  for (const { line, column } of covered(format, lines)) {
    const from = slice(lines, { line, from: column, to: column + 1 })
    const rule = format.grammar[line]?.charAt(column) ?? 'x'
    const seenHere = readings.map((reading) => reading[line]?.[column]?.text ?? '').filter((text) => text !== '' && text !== from)
    for (const to of new Set([...candidates(from), ...seenHere])) {
      if (allowed(rule, to) !== to) continue
      const mended = lines.map((text, at) => (at === line ? text.slice(0, column) + to + text.slice(column + 1) : text))
      if (!allHold(format, mended)) continue
      const seen = readings.some((reading) => reading[line]?.[column]?.text === to)
      found.push({ line, column, from, to, because: 'check_digits', doubtful: seen || isClassSlip(from, to) })
    }
  }
  return found.length === 1 ? found[0] : undefined
}

const candidates = (character: string): string[] => [
  ...new Set(alike.filter((set) => set.includes(character)).flatMap((set) => [...set].filter((other) => other !== character))),
]
