import type { ReadingEffort } from '../document-reader.ts'
import { boxesOf, findZone, withoutZone } from '../mrz-image/find-zone.ts'
import { readMrz } from '../mrz-image/read-mrz.ts'
import type { MrzRows } from '../mrz-image/rows.ts'
import { isDoubtful, type Level, levelled, turned } from '../page/level.ts'
import { maxLines, minInk, type PageReading } from '../page/page-reading.ts'
import { enlarged, type Grey, shrink } from '../page/pixels.ts'
import { confidenceOf, lettersOf, lineOf, overlap, withoutNoise } from '../page/printed-lines.ts'
import { pageQuality } from '../page/quality.ts'
import { textDirection } from '../page/skew.ts'
import type { TextEngine } from '../text-engine/text-engine.ts'
import { readArabic, withoutWordsUnder } from './arabic-lines.ts'

/** Page width at which printed text is read, px; determined by the cell width if there is a machine-readable zone. */
const readingWidth = 1200
const readingPitch = 27
const maxPixels = 2_200_000
/** Minimum confidence and length of text that is upright. */
const upright = { confidence: 0.6, letters: 12 } as const

type Print = Omit<PageReading, 'mrz' | 'zone'>

/** Levels a side, reads the machine-readable zone, then the visual zone. @param checkCancelled - called between steps; throws when the request is cancelled */
export async function readWithTesseract(
  engine: TextEngine,
  picture: Grey,
  effort: ReadingEffort,
  checkCancelled: () => void,
): Promise<PageReading> {
  const direction = textDirection(picture)
  checkCancelled()
  const { level, zone } = findZone(picture, direction)
  checkCancelled()
  const mrz = zone && (await readMrz(engine, zone.shapes, zone.rows.columns, checkCancelled))
  const rows = mrz && zone?.rows
  const first = await readPrinted(engine, level, rows, checkCancelled)
  const printed = effort === 'thorough' ? await readAgain(engine, first, rows, checkCancelled) : first
  return { ...printed, mrz, zone: rows === undefined ? [] : boxesOf(rows) }
}

/** Reads the visual zone; without a machine-readable zone, tries each direction until the text makes sense. */
async function readPrinted(engine: TextEngine, level: Level, rows: MrzRows | undefined, checkCancelled: () => void): Promise<Print> {
  let best: Print | undefined
  const plain = rows === undefined && isDoubtful(level) ? [levelled(level.picture, 0, 0)] : []
  const others = rows === undefined ? ([180, 90, 270] as const).map((by) => turned(level, by)) : []
  for (const view of [level, ...plain, ...others]) {
    checkCancelled()
    const candidate = await readLevel(engine, view, rows)
    if (best === undefined || sense(candidate) > sense(best)) best = candidate
    if (candidate.quality.ink < minInk || makesSense(candidate)) break
  }
  if (best === undefined) throw new Error('unreachable: there is always a first direction')
  return best
}

type Lines = Pick<Print, 'lines' | 'confidence'>

const makesSense = (read: Lines): boolean =>
  read.confidence > upright.confidence && lettersOf(read.lines) > upright.letters && !isSideways(read)

const sense = (printed: Lines): number => printed.confidence * Math.min(60, lettersOf(printed.lines)) * (isSideways(printed) ? 0.2 : 1)

/** Whether lines run up or down the page, which the reader also accepts: such words are taller than wide. */
function isSideways({ lines }: Lines): boolean {
  const long = lines.flatMap(({ words }) => words).filter(({ text }) => text.length > 3)
  return long.filter(({ box }) => box.height > box.width).length > long.length / 2
}

async function readLevel(engine: TextEngine, level: Level, rows: MrzRows | undefined): Promise<Print> {
  const { page } = level
  const width = rows === undefined ? readingWidth : (page.width * readingPitch) / (rows.rows[0]?.pitch ?? readingPitch)
  const scale = Math.min(1, width / page.width, Math.sqrt(maxPixels / (page.width * page.height)))
  const view = shrink(page, Math.round(page.width * scale))
  const quality = pageQuality(view)
  if (quality.ink < minInk) return { level, lines: [], confidence: 0, quality }
  const back = page.width / view.width
  const text = await engine.read(rows === undefined ? view : withoutZone(view, rows, 1 / back), 'fra', { layout: 'page' })
  const lines = text
    .map((line) => lineOf(line, back))
    .filter((line) => line !== undefined)
    .slice(0, maxLines)
  const confidence = confidenceOf(lines)
  return { level, lines: lines.map(withoutNoise).filter((line) => line !== undefined), confidence, quality }
}

/** Reads text that page segmentation missed: words anywhere, larger, and in Arabic script. */
export async function readAgain<Read extends Print>(
  engine: TextEngine,
  read: Read,
  rows: MrzRows | undefined,
  checkCancelled: () => void,
): Promise<Read> {
  const first = engine.reads('ara') && rows === undefined ? await readUprightArabic(engine, read, checkCancelled) : read
  const { page } = first.level
  const scale = Math.min(enlargement, Math.sqrt(maxEnlarged / (page.width * page.height)))
  const view = enlarged(rows === undefined ? page : withoutZone(page, rows, 1), scale)
  const words = first.lines.flatMap((line) => line.words.map(({ box }) => box))
  checkCancelled()
  const sparse = (await engine.read(view, 'fra', { layout: 'sparse' }))
    .map((line) => lineOf(line, 1 / scale))
    .map((line) => line && withoutNoise(line))
    .filter((line) => line !== undefined && !line.words.some(({ box }) => words.some((word) => overlap(word, box))))
    .filter((line) => line !== undefined)
  const latin = [...first.lines, ...sparse]
  checkCancelled()
  const arabic = engine.reads('ara') ? await readArabic(engine, page, latin) : []
  if (arabic.length === 0) return { ...first, lines: latin.slice(0, maxLines) }
  const lines = [...withoutWordsUnder(latin, arabic), ...arabic].slice(0, maxLines)
  return { ...first, lines, confidence: confidenceOf(lines) }
}

/** Reads a page without sensible Latin text in the direction in which Arabic text makes sense. */
async function readUprightArabic<Read extends Print>(engine: TextEngine, read: Read, checkCancelled: () => void): Promise<Read> {
  if (read.quality.ink < minInk || makesSense(read)) return read
  for (const level of [read.level, ...([180, 90, 270] as const).map((by) => turned(read.level, by))]) {
    checkCancelled()
    const lines = await readArabic(engine, level.page, [])
    if (!makesSense({ lines, confidence: confidenceOf(lines) })) continue
    return level === read.level ? read : { ...read, ...(await readLevel(engine, level, undefined)) }
  }
  return read
}

const enlargement = 2
const maxEnlarged = 6_000_000
