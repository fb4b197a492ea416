import { type MrzFormat, slice } from './formats.ts'
import { areAlike, classPartner, isClassMisread, lookAlikesOf } from './look-alikes.ts'
import { allHold, covered, misreadsThatExplain, repaired } from './misreads.ts'
import type { MrzReading, MrzRepair } from './mrz-reading.ts'

/** A character of one reading with its confidence. */
export interface ReadCell {
  readonly text: string
  readonly confidence: number
}

/** Lines of cells; a cell without a result is empty. */
export type CellReading = readonly (readonly ReadCell[])[]

/**
 * Merges several readings: each position takes the character with the highest confidence. Check digits never choose a character; they only decide
 * whether a further reading is needed and what a single OCR error would explain.
 */
export function mergeReadings(format: MrzFormat, readings: readonly CellReading[]): { holds: boolean; result: MrzReading } {
  const voted = vote(readings)
  const { lines, repairs } = fitGrammar(format, voted)
  const valid = allHold(format, lines)
  const confidences = voted.flat().filter(({ text }) => text !== '<')
  const proposal = valid ? undefined : propose(format, lines, readings)
  const slips = misreadsThatExplain(format, lines)
  const result: MrzReading = {
    format: format.name,
    lines,
    repairs,
    confidence: confidences.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, confidences.length),
    readings: readings.length,
    settled: valid || (isSettled(format, readings) && slips === undefined && proposal?.doubtful !== true),
    ...(slips === undefined ? {} : { slips }),
    ...(proposal === undefined ? {} : { proposal }),
  }
  return { holds: valid, result }
}

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

/** Replaces look-alikes at positions that allow only letters or only digits, and reports each replacement. */
function fitGrammar(format: MrzFormat, cells: readonly (readonly ReadCell[])[]): { lines: string[]; repairs: MrzRepair[] } {
  const repairs: MrzRepair[] = []
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
  const partner = (pattern: RegExp): string | undefined => classPartner(character)?.match(pattern)?.[0]
  if (rule === 'a' && digit) return partner(/[A-Z]/) ?? character
  if ((rule === 'n' || rule === 'd') && !digit && character !== '<') return partner(/\d/) ?? character
  if (rule === 's' && !'MFX<'.includes(character)) return areAlike(character, 'M') ? 'M' : areAlike(character, 'F') ? 'F' : '<'
  return character
}

/** Whether two readings agree on all characters that check digits cover. */
function isSettled(format: MrzFormat, readings: readonly CellReading[]): boolean {
  const [first, second] = [readings[0], readings[1]]
  if (first === undefined || second === undefined) return false
  const lines = fitGrammar(format, first).lines
  return covered(format, lines).every(({ line, column }) => {
    const [a, b] = [first[line]?.[column], second[line]?.[column]]
    return a !== undefined && b !== undefined && a.text !== '' && a.text === b.text
  })
}

/**
 * Returns the substitution (a look-alike or a character of another reading) that satisfies every check digit, if there is exactly one. Callers accept
 * it only if the visual zone agrees.
 */
function propose(format: MrzFormat, lines: readonly string[], readings: readonly CellReading[]): MrzReading['proposal'] {
  const proposals: NonNullable<MrzReading['proposal']>[] = []
  for (const { line, column } of covered(format, lines)) {
    const from = slice(lines, { line, from: column, to: column + 1 })
    const rule = format.grammar[line]?.charAt(column) ?? 'x'
    const seenHere = readings.map((reading) => reading[line]?.[column]?.text ?? '').filter((text) => text !== '' && text !== from)
    for (const to of new Set([...lookAlikesOf(from), ...seenHere])) {
      if (allowed(rule, to) !== to) continue
      if (!allHold(format, repaired(lines, { line, column, to }))) continue
      const seen = readings.some((reading) => reading[line]?.[column]?.text === to)
      proposals.push({ line, column, from, to, because: 'check_digits', doubtful: seen || isClassMisread(from, to) })
    }
  }
  return proposals.length === 1 ? proposals[0] : undefined
}
