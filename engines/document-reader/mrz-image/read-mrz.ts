import { checkHolds, checksOf } from '../mrz/check-digits.ts'
import { type MrzFormat, mrzFormats, slice } from '../mrz/formats.ts'
import { lookAlikes } from '../mrz/look-alikes.ts'
import { type CellReading, mergeReadings, type ReadCell } from '../mrz/merge-readings.ts'
import type { MrzReading } from '../mrz/mrz-reading.ts'
import type { Grey } from '../page/pixels.ts'
import type { TextEngine } from '../text-engine/text-engine.ts'
import type { Language } from '../text-engine/text-language-data.ts'
import { type CellLine, type CellPlace, type CellShape, cellShape, copyCells } from './cells.ts'
import { type MrzRows, stripOf } from './rows.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const alphabets = { letters, digits, any: letters + digits } as const
type CellKind = keyof typeof alphabets

/** Maximum number of cells read at once. */
const maxCells = 48

interface ReadingPass {
  readonly language: Language
  readonly contrast: number
  /** maximum number of adjacent alphanumeric cells read together: among digits a Z is misread as 1 or 2, in a pair or alone it is not */
  readonly groupSize: number
}

/** fra reads OCR-B best, eng monospaced computer fonts; a further pass runs only if check digits fail with the previous ones. */
const passes: readonly ReadingPass[] = [
  { language: 'fra', contrast: 1, groupSize: maxCells },
  { language: 'eng', contrast: 1, groupSize: maxCells },
  { language: 'fra', contrast: 1, groupSize: 2 },
  { language: 'fra', contrast: 1, groupSize: 1 },
  { language: 'fra', contrast: 1.6, groupSize: 3 },
]

export interface MrzShapes {
  readonly strips: readonly Grey[]
  readonly shapes: readonly (readonly CellShape[])[]
  /** whether the rows are upside down */
  readonly upsideDown: boolean
  /** share of cells that are fillers in either orientation */
  readonly fillers: number
}

/** Classifies every cell by shape; the direction of the fillers shows whether the page is upside down. */
export function mrzShapes(page: Grey, { rows, columns }: MrzRows): MrzShapes {
  const strips = rows.map((row) => stripOf(page, row, columns))
  const shapes = strips.map((strip) => Array.from({ length: columns }, (_, column) => cellShape(strip, column)))
  const count = (shape: CellShape): number => shapes.flat().filter((each) => each === shape).length
  const [right, wrong] = [count('<'), count('>')]
  return { strips, shapes, upsideDown: wrong > right, fillers: Math.max(right, wrong) / (rows.length * columns) }
}

/** Another reader's reading of the same zone. */
export interface EarlierReading {
  readonly format: MrzFormat
  readonly cells: CellReading
}

/**
 * Reads the cells of a machine-readable zone: each character class with its own alphabet, fillers by shape only. @param earlier - counts as the first
 * pass
 * @returns undefined if no format matches or the text is not a machine-readable zone
 */
export async function readMrz(
  engine: TextEngine,
  { strips, shapes }: MrzShapes,
  columns: number,
  checkCancelled: () => void,
  earlier?: EarlierReading,
): Promise<MrzReading | undefined> {
  const format = earlier?.format ?? formatOf(columns, strips.length, await readOpening(engine, strips, shapes))
  if (format === undefined) return undefined
  const readings: CellReading[] = earlier === undefined ? [] : [earlier.cells]
  for (const pass of passes) {
    checkCancelled()
    const view = pass.contrast === 1 ? strips : strips.map((strip) => sharpened(strip, pass.contrast))
    readings.push(await readOnce(engine, view, shapes, format, pass))
    const reading = mergeReadings(format, readings)
    if (reading.holds) return reading.result
    if (!looksLikeMrz(format, reading.result.lines)) return undefined
    if (reading.result.settled && readings.length > 1) return reading.result
  }
  return mergeReadings(format, readings).result
}

/**
 * Rejects text lines of equal length that neither begin like a zone nor satisfy two check digits; one check digit holds by chance in a tenth of
 * cases.
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
  const readings = await read(engine, strips, cells, 'fra', alphabets.letters)
  return columns.map((column) => readings.get(`0:${column}`)?.text ?? '<').join('')
}

/**
 * Two lines of 36 are TD2 unless they begin like the French card; the first letter distinguishes a zone from other rows of 30 or 44.
 * @param start - the first five characters as read
 */
export function formatOf(columns: number, lines: number, start: string): MrzFormat | undefined {
  const fitting = mrzFormats.filter((format) => format.width === columns && format.grammar.length === lines)
  const french = fitting.find(({ name }) => name === 'FRA_CNI')
  // the second letter decides: French residence permits begin with IR
  if (french !== undefined && lookAlikes(start, 'IDFRA') >= 4 && lookAlikes(start.charAt(1), 'D') === 1) return french
  const other = fitting.find(({ name }) => name !== 'FRA_CNI')
  return other
}

async function readOnce(
  engine: TextEngine,
  strips: readonly Grey[],
  shapes: MrzShapes['shapes'],
  format: MrzFormat,
  { language, groupSize }: ReadingPass,
): Promise<CellReading> {
  const readings = new Map<string, ReadCell>()
  for (const kind of ['letters', 'digits', 'any'] as const) {
    const places = cellsOf(format, kind).filter(({ line, column }) => shapes[line]?.[column] === 'character')
    for (const part of parts(places, kind === 'any' ? groupSize : maxCells)) {
      for (const [place, cell] of await read(engine, strips, part, language, alphabets[kind])) readings.set(place, cell)
    }
  }
  return shapes.map((line, at) =>
    line.map((shape, column): ReadCell => {
      if (shape === '<' || shape === '>') return { text: '<', confidence: 1 }
      return readings.get(`${at}:${column}`) ?? { text: '', confidence: 0 }
    }),
  )
}

function cellsOf({ grammar }: MrzFormat, kind: CellKind): CellPlace[] {
  const kindOf = (rule: string): CellKind => (rule === 'a' || rule === 's' ? 'letters' : rule === 'x' ? 'any' : 'digits')
  return grammar.flatMap((line, at) => [...line].flatMap((rule, column) => (kindOf(rule) === kind ? [{ line: at, column }] : [])))
}

/** Returns all cells if they are few, else groups of neighbours. */
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
  const readings = new Map<string, ReadCell>()
  if (places.length === 0) return readings
  const line = copyCells(strips, places)
  const words = (await engine.read(line.image, language, { layout: 'line', alphabet })).flat()
  for (const { text, confidence, left, right } of words.flatMap((word) => word.symbols)) {
    const place = cellAt(line, (left + right) / 2)
    if (place === undefined || !alphabet.includes(text)) continue
    const key = `${place.line}:${place.column}`
    if (confidence > (readings.get(key)?.confidence ?? -1)) readings.set(key, { text, confidence })
  }
  // the confidence of the first character after a gap is always low, so the next one's is used
  for (const { line: at, column } of [...places].reverse()) {
    const [own, next] = [readings.get(`${at}:${column}`), readings.get(`${at}:${column + 1}`)]
    const first = !places.some((other) => other.line === at && other.column === column - 1)
    if (own !== undefined && first)
      readings.set(`${at}:${column}`, { ...own, confidence: Math.max(own.confidence, next?.confidence ?? loneConfidence) })
  }
  return readings
}

/** Confidence of a character with gaps on both sides. */
const loneConfidence = 0.8

const cellAt = ({ cells }: CellLine, x: number): CellPlace | undefined => cells.find(({ from, to }) => x >= from && x < to)

/** Increases contrast for faint or smeared print. */
function sharpened({ width, height, data }: Grey, by: number): Grey {
  return { width, height, data: data.map((value) => Math.max(0, Math.min(255, 128 + (value - 128) * by))) }
}
