import { checkHolds, checksOf } from '../mrz/check-digits.ts'
import { type MrzFormat, mrzFormats, slice } from '../mrz/formats.ts'
import { lookAlikes } from '../mrz/look-alikes.ts'
import type { MrzReading } from '../mrz/mrz-reading.ts'
import { type CellReading, type ReadCell, settle } from '../mrz/settle.ts'
import type { Grey } from '../page/pixels.ts'
import type { TextEngine } from '../tesseract/text-engine.ts'
import type { Language } from '../tesseract/text-language-data.ts'
import { type CellLine, type CellPlace, type CellShape, cellShape, copyCells } from './cells.ts'
import { type MrzRows, stripOf } from './rows.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const alphabets = { letters, digits, any: letters + digits } as const
type CellKind = keyof typeof alphabets

/** Longest line of cells that is read at once. */
const maxCells = 48

interface Opinion {
  readonly language: Language
  readonly contrast: number
  /** cells of letters and digits that are read at once, and then neighbours alone: among digits a Z is read as 1 or 2, in a pair or alone as Z */
  readonly together: number
}

/** fra reads OCR-B best, eng the monospaced fonts of computers; another opinion is asked only where those before it do not hold. */
const opinions: readonly Opinion[] = [
  { language: 'fra', contrast: 1, together: maxCells },
  { language: 'eng', contrast: 1, together: maxCells },
  { language: 'fra', contrast: 1, together: 2 },
  { language: 'fra', contrast: 1, together: 1 },
  { language: 'fra', contrast: 1.6, together: 3 },
]

export interface MrzShapes {
  readonly strips: readonly Grey[]
  readonly shapes: readonly (readonly CellShape[])[]
  /** the rows stand on their head */
  readonly upsideDown: boolean
  /** share of cells that are fillers, either way up */
  readonly fillers: number
}

/** Looks at the form of every cell; which way the fillers open tells whether the page stands on its head. */
export function mrzShapes(page: Grey, { rows, columns }: MrzRows): MrzShapes {
  const strips = rows.map((row) => stripOf(page, row, columns))
  const shapes = strips.map((strip) => Array.from({ length: columns }, (_, column) => cellShape(strip, column)))
  const count = (shape: CellShape): number => shapes.flat().filter((found) => found === shape).length
  const [right, wrong] = [count('<'), count('>')]
  return { strips, shapes, upsideDown: wrong > right, fillers: Math.max(right, wrong) / (rows.length * columns) }
}

/** What another reader made of the same zone. */
export interface EarlierReading {
  readonly format: MrzFormat
  readonly cells: CellReading
}

/**
 * Reads the cells of a machine-readable zone: each class of characters with its own alphabet, fillers by their form, never by the reader.
 * @param earlier - counts as the first opinion
 * @returns undefined when no format fits what was read, or what was read is no machine-readable zone
 */
export async function readMrz(
  engine: TextEngine,
  { strips, shapes }: MrzShapes,
  columns: number,
  goOn: () => void,
  earlier?: EarlierReading,
): Promise<MrzReading | undefined> {
  const format = earlier?.format ?? formatOf(columns, strips.length, await readOpening(engine, strips, shapes))
  if (format === undefined) return undefined
  const readings: CellReading[] = earlier === undefined ? [] : [earlier.cells]
  for (const opinion of opinions) {
    goOn()
    const view = opinion.contrast === 1 ? strips : strips.map((strip) => sharpened(strip, opinion.contrast))
    readings.push(await readOnce(engine, view, shapes, format, opinion))
    const reading = settle(format, readings)
    if (reading.holds) return reading.result
    if (!looksLikeMrz(format, reading.result.lines)) return undefined
    if (reading.result.settled && readings.length > 1) return reading.result
  }
  return settle(format, readings).result
}

/**
 * Lines of even print that are as long as one another can pass for a machine-readable zone. They are none when they neither begin as one nor hold in two check
 * digits: a single one holds by chance in one case of ten.
 */
function looksLikeMrz(format: MrzFormat, lines: readonly string[]): boolean {
  const names = slice(lines, format.fields.names ?? format.fields.surname ?? { line: 0, from: 0, to: 0 })
  const [first = ''] = lines
  const begins = format.opening.test(first) && /^(?:[A-Z]{3}|D<<)$/.test(first.slice(2, 5)) && /^[A-Z]+(?:<{1,2}[A-Z]+)*<*$/.test(names)
  return begins || checksOf(format, lines).filter((rule) => checkHolds(lines, rule)).length >= 2
}

async function readOpening(engine: TextEngine, strips: readonly Grey[], shapes: MrzShapes['shapes']): Promise<string> {
  const columns = [0, 1, 2, 3, 4]
  const cells = columns.filter((column) => shapes[0]?.[column] === 'character').map((column) => ({ line: 0, column }))
  const found = await read(engine, strips, cells, 'fra', alphabets.letters)
  return columns.map((column) => found.get(`0:${column}`)?.text ?? '<').join('')
}

/**
 * Two lines of 36 are TD2 unless they begin as the French card does; the first letter tells a machine-readable zone from any other rows of 30 or 44.
 * @param start - the first five characters as read
 */
export function formatOf(columns: number, lines: number, start: string): MrzFormat | undefined {
  const fitting = mrzFormats.filter((format) => format.width === columns && format.grammar.length === lines)
  const french = fitting.find(({ name }) => name === 'FRA_CNI')
  // the second letter tells: residence permits of France begin IR
  if (french !== undefined && lookAlikes(start, 'IDFRA') >= 4 && lookAlikes(start.charAt(1), 'D') === 1) return french
  const other = fitting.find(({ name }) => name !== 'FRA_CNI')
  return other
}

async function readOnce(
  engine: TextEngine,
  strips: readonly Grey[],
  shapes: MrzShapes['shapes'],
  format: MrzFormat,
  { language, together }: Opinion,
): Promise<CellReading> {
  const found = new Map<string, ReadCell>()
  for (const kind of ['letters', 'digits', 'any'] as const) {
    const places = cellsOf(format, kind).filter(({ line, column }) => shapes[line]?.[column] === 'character')
    for (const part of parts(places, kind === 'any' ? together : maxCells)) {
      for (const [place, cell] of await read(engine, strips, part, language, alphabets[kind])) found.set(place, cell)
    }
  }
  return shapes.map((line, at) =>
    line.map((shape, column): ReadCell => {
      if (shape === '<' || shape === '>') return { text: '<', confidence: 1 }
      return found.get(`${at}:${column}`) ?? { text: '', confidence: 0 }
    }),
  )
}

function cellsOf({ grammar }: MrzFormat, kind: CellKind): CellPlace[] {
  const kindOf = (rule: string): CellKind => (rule === 'a' || rule === 's' ? 'letters' : rule === 'x' ? 'any' : 'digits')
  return grammar.flatMap((line, at) => [...line].flatMap((rule, column) => (kindOf(rule) === kind ? [{ line: at, column }] : [])))
}

/** All of them where they are few, else neighbours: what stands behind a gap is not read with what stands before it. */
function* parts(places: readonly CellPlace[], length: number): Generator<readonly CellPlace[]> {
  if (length === maxCells) {
    for (let from = 0; from < places.length; from += length) yield places.slice(from, from + length)
    return
  }
  let part: CellPlace[] = []
  for (const place of places) {
    const before = part.at(-1)
    if (before !== undefined && (part.length === length || before.line !== place.line || before.column !== place.column - 1)) {
      yield part
      part = []
    }
    part.push(place)
  }
  if (part.length > 0) yield part
}

/** @returns `line:column` -> character */
async function read(
  engine: TextEngine,
  strips: readonly Grey[],
  places: readonly CellPlace[],
  language: Language,
  alphabet: string,
): Promise<Map<string, ReadCell>> {
  const found = new Map<string, ReadCell>()
  if (places.length === 0) return found
  const line = copyCells(strips, places)
  const words = (await engine.read(line.image, language, { layout: 'line', alphabet })).flat()
  for (const { text, confidence, left, right } of words.flatMap((word) => word.symbols)) {
    const place = cellAt(line, (left + right) / 2)
    if (place === undefined || !alphabet.includes(text)) continue
    const key = `${place.line}:${place.column}`
    if (confidence > (found.get(key)?.confidence ?? -1)) found.set(key, { text, confidence })
  }
  // the reader is never sure of the first character after a gap, though it is right: the one behind it speaks for both
  for (const { line: at, column } of [...places].reverse()) {
    const [own, next] = [found.get(`${at}:${column}`), found.get(`${at}:${column + 1}`)]
    const first = !places.some((other) => other.line === at && other.column === column - 1)
    if (own !== undefined && first)
      found.set(`${at}:${column}`, { ...own, confidence: Math.max(own.confidence, next?.confidence ?? loneConfidence) })
  }
  return found
}

/** Of a character with gaps on both sides. */
const loneConfidence = 0.8

const cellAt = ({ cells }: CellLine, x: number): CellPlace | undefined => cells.find(({ from, to }) => x >= from && x < to)

/** Contrast about the middle, for faint or smeared print. */
function sharpened({ width, height, data }: Grey, by: number): Grey {
  return { width, height, data: data.map((value) => Math.max(0, Math.min(255, 128 + (value - 128) * by))) }
}
