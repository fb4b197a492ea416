import type { Pixels } from '../inference/images/pixels.ts'
import type { Box, DocumentText, ReadingEffort, TextLine, TextWord } from './document-reader.ts'
import type { MrzReading } from './mrz/mrz-reading.ts'
import { type MrzShapes, mrzShapes, readMrz } from './mrz-image/read-mrz.ts'
import { clear, findMrzRows, type MrzRows } from './mrz-image/rows.ts'
import { enlarged, type Grey, quarterTurn, rotate, shrink, toGrey } from './page/pixels.ts'
import { pageQuality } from './page/quality.ts'
import { type Direction, textDirection } from './page/skew.ts'
import type { ReadLine, TextEngine } from './text-engine.ts'

/** A page with its lines level, and how to get back to the picture. */
interface Level {
  readonly page: Grey
  readonly picture: Grey
  readonly turn: 0 | 90 | 180 | 270
  readonly degrees: number
}

const maxLines = 200
/** Width in pixels that printed text is read at; of a cell of the machine-readable zone, where there is one. */
const readingWidth = 1200
const readingPitch = 27
const maxPixels = 2_200_000
/** Less ink is a blank sheet: no text is looked for. */
const leastInk = 0.002
/** Printed text that is read so surely stands upright. */
const upright = { confidence: 0.6, letters: 12 } as const

/**
 * Reads one side of a document: levels it, finds and reads the machine-readable zone, then the visual zone around it.
 * @param goOn - called between steps; throws when nobody waits any more
 */
export async function readPage(engine: TextEngine, pixels: Pixels, effort: ReadingEffort, goOn: () => void): Promise<DocumentText> {
  const picture = toGrey(pixels)
  const direction = textDirection(picture)
  goOn()
  const found = firstZone(picture, direction)
  goOn()
  const mrz =
    found.shapes === undefined || found.rows === undefined ? undefined : await readMrz(engine, found.shapes, found.rows.columns, goOn)
  const rows = mrz === undefined ? undefined : found.rows
  const first = await readPrinted(engine, found.level, rows, goOn)
  const printed = effort === 'thorough' ? await readAgain(engine, first, rows) : first
  return documentText(printed, mrz, rows)
}

function levelled(picture: Grey, turn: Level['turn'], degrees: number): Level {
  return { page: rotate(quarterTurn(picture, turn), degrees), picture, turn, degrees }
}

const turned = ({ picture, turn, degrees }: Level, by: 90 | 180 | 270): Level =>
  levelled(picture, ((turn + by) % 360) as Level['turn'], degrees)

/** The machine-readable zone's rows, and the page the right way up if its fillers say that it was not. */
function withZone(lines: Level): { level: Level; rows?: MrzRows; shapes?: MrzShapes } {
  const { level, rows } = clearest(lines)
  if (rows === undefined) return { level }
  const shapes = mrzShapes(level.page, rows)
  if (!shapes.upsideDown) return { level, rows, shapes }
  const other = turned(level, 180)
  const otherRows = findMrzRows(other.page)
  return otherRows === undefined ? { level } : { level: other, rows: otherRows, shapes: mrzShapes(other.page, otherRows) }
}

/** The lines that were found may be of something beside the document: then its machine-readable zone stands level with the picture. */
function firstZone(picture: Grey, { turn, level }: Direction): ReturnType<typeof withZone> {
  const along = withZone(levelled(picture, turn, level))
  if (along.rows !== undefined || !isDoubtful({ turn, degrees: level })) return along
  const plain = withZone(levelled(picture, 0, 0))
  return plain.rows === undefined ? along : plain
}

/** Most pictures are taken nearly level. */
const isDoubtful = ({ turn, degrees }: Pick<Level, 'turn' | 'degrees'>): boolean => turn !== 0 || Math.abs(degrees) > 2

/** Degrees that the level of the lines may be wrong by, where the paper's pattern or edges outweigh them. */
const corrections = [0.8, -0.8, 1.6, -1.6] as const

/** Rows that are there but unclear may only be askew. */
function clearest(level: Level): { level: Level; rows: MrzRows | undefined } {
  let best = { level, rows: findMrzRows(level.page) }
  if (best.rows === undefined || best.rows.clearness > clear) return best
  for (const correction of corrections) {
    const other = levelled(level.picture, level.turn, level.degrees + correction)
    const rows = findMrzRows(other.page)
    if (rows !== undefined && rows.clearness > (best.rows?.clearness ?? 0)) best = { level: other, rows }
    if ((best.rows?.clearness ?? 0) > clear) break
  }
  return best
}

interface VisualField {
  readonly level: Level
  readonly lines: TextLine[]
  readonly confidence: number
  readonly quality: ReturnType<typeof pageQuality>
}

/** Reads the visual zone; without a machine-readable zone to tell the way up, in every direction until one makes sense. */
async function readPrinted(engine: TextEngine, level: Level, rows: MrzRows | undefined, goOn: () => void): Promise<VisualField> {
  let best: VisualField | undefined
  const plain = rows === undefined && isDoubtful(level) ? [levelled(level.picture, 0, 0)] : []
  const others = rows === undefined ? ([180, 90, 270] as const).map((by) => turned(level, by)) : []
  for (const view of [level, ...plain, ...others]) {
    goOn()
    const found = await readLevel(engine, view, rows)
    if (best === undefined || sense(found) > sense(best)) best = found
    const makesSense = found.confidence > upright.confidence && lettersOf(found) > upright.letters && !isSideways(found)
    if (found.quality.ink < leastInk || makesSense) break
  }
  if (best === undefined) throw new Error('unreachable: there is always a first direction')
  return best
}

const lettersOf = ({ lines }: VisualField): number => lines.reduce((sum, { text }) => sum + text.replace(/[^\p{L}\p{N}]/gu, '').length, 0)
const sense = (printed: VisualField): number => printed.confidence * Math.min(60, lettersOf(printed)) * (isSideways(printed) ? 0.2 : 1)

/** The reader reads lines that run up or down the page, too: their words are taller than wide. */
function isSideways({ lines }: VisualField): boolean {
  const long = lines.flatMap(({ words }) => words).filter(({ text }) => text.length > 3)
  return long.filter(({ box }) => box.height > box.width).length > long.length / 2
}

async function readLevel(engine: TextEngine, level: Level, rows: MrzRows | undefined): Promise<VisualField> {
  const { page } = level
  const wanted = rows === undefined ? readingWidth : (page.width * readingPitch) / (rows.rows[0]?.pitch ?? readingPitch)
  const scale = Math.min(1, wanted / page.width, Math.sqrt(maxPixels / (page.width * page.height)))
  const view = shrink(page, Math.round(page.width * scale))
  const quality = pageQuality(view)
  if (quality.ink < leastInk) return { level, lines: [], confidence: 0, quality }
  const back = page.width / view.width
  const text = await engine.read(rows === undefined ? view : withoutZone(view, rows, 1 / back), 'fra', { layout: 'page' })
  const lines = text
    .map((line) => lineOf(line, back))
    .filter((line) => line !== undefined)
    .slice(0, maxLines)
  const confidence = confidenceOf(lines)
  return { level, lines: lines.map(withoutNoise).filter((line) => line !== undefined), confidence, quality }
}

/** What a page segmented into lines left out is often found by looking for words anywhere, larger. */
async function readAgain(engine: TextEngine, first: VisualField, rows: MrzRows | undefined): Promise<VisualField> {
  const { page } = first.level
  const scale = Math.min(enlargement, Math.sqrt(maxEnlarged / (page.width * page.height)))
  const view = enlarged(rows === undefined ? page : withoutZone(page, rows, 1), scale)
  const words = first.lines.flatMap((line) => line.words.map(({ box }) => box))
  const found = (await engine.read(view, 'fra', { layout: 'sparse' }))
    .map((line) => lineOf(line, 1 / scale))
    .map((line) => line && withoutNoise(line))
    .filter((line) => line !== undefined && !line.words.some(({ box }) => words.some((word) => overlap(word, box))))
    .filter((line) => line !== undefined)
  return { ...first, lines: [...first.lines, ...found].slice(0, maxLines) }
}

const enlargement = 2
const maxEnlarged = 6_000_000

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height

function lineOf(words: ReadLine, scale: number): TextLine | undefined {
  const kept = words
    .filter(({ text }) => /\S/.test(text))
    .map(({ text, confidence, box }): TextWord => ({ text, confidence, box: scaled(box, scale) }))
  const [first] = kept
  if (first === undefined) return undefined
  const box = kept.reduce((all, { box: word }) => around(all, word), first.box)
  return { text: kept.map(({ text }) => text).join(' '), confidence: meanConfidence(kept), box, words: kept }
}

/** Below, what was read is the pattern of the paper. */
const leastConfidence = 0.2

function withoutNoise(line: TextLine): TextLine | undefined {
  const words = line.words.filter(({ confidence }) => confidence >= leastConfidence)
  if (words.length === line.words.length) return line
  return words.length === 0 ? undefined : { ...line, words, text: words.map(({ text }) => text).join(' ') }
}

const scaled = ({ left, top, width, height }: Box, by: number): Box => ({
  left: left * by,
  top: top * by,
  width: width * by,
  height: height * by,
})

function around(a: Box, b: Box): Box {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)]
  const [right, bottom] = [Math.max(a.left + a.width, b.left + b.width), Math.max(a.top + a.height, b.top + b.height)]
  return { left, top, width: right - left, height: bottom - top }
}

function meanConfidence(words: readonly TextWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return letters === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters
}

const confidenceOf = (lines: readonly TextLine[]): number => meanConfidence(lines.flatMap(({ words }) => words))

/** The page with the machine-readable zone painted over, so that it is not read again as text. */
function withoutZone({ width, height, data }: Grey, { rows, columns }: MrzRows, scale: number): Grey {
  const painted = new Uint8Array(data)
  for (const { left, middle, slope, height: tall, pitch } of rows) {
    for (let x = Math.max(0, Math.round((left - pitch) * scale)); x < Math.min(width, (left + pitch * (columns + 1)) * scale); x++) {
      const centre = (middle + slope * (x / scale - left)) * scale
      const top = Math.round(centre - tall * scale * 0.7)
      const paper = data[Math.max(0, Math.min(height - 1, top - 1)) * width + x] ?? 255
      for (let y = Math.max(0, top); y < Math.min(height, centre + tall * scale * 0.7); y++) painted[y * width + x] = paper
    }
  }
  return { width, height, data: painted }
}

function documentText(
  { level, lines, confidence, quality }: VisualField,
  mrz: MrzReading | undefined,
  rows: MrzRows | undefined,
): DocumentText {
  const { page, turn, degrees } = level
  const boxes = lines.flatMap(({ words }) =>
    words.filter((word) => word.confidence > 0.6 && /[\p{L}\p{N}]{2}/u.test(word.text)).map(({ box }) => box),
  )
  const zoneBoxes = (rows?.rows ?? []).map(({ left, middle, height, pitch }): Box => {
    const width = pitch * (rows?.columns ?? 0)
    return { left, top: middle - height / 2, width, height }
  })
  return {
    width: page.width,
    height: page.height,
    rotation: turn,
    skew: Math.round(degrees * 10) / 10,
    lines,
    confidence,
    ...(mrz === undefined ? {} : { mrz }),
    quality: { ...quality, cutSides: cutSides(level, [...boxes, ...zoneBoxes]) },
  }
}

/** How many sides of the picture text runs out of. */
function cutSides(level: Level, boxes: readonly Box[]): number {
  const { width, height } = turnedSize(level)
  const cut = { left: false, top: false, right: false, bottom: false }
  for (const { left, top, width: wide, height: high } of boxes) {
    const near = Math.max(2, high * 0.12)
    for (const [x, y] of [
      [left, top + high / 2],
      [left + wide, top + high / 2],
      [left + wide / 2, top],
      [left + wide / 2, top + high],
    ] as const) {
      const at = inPicture(level, x, y)
      if (at.x < near) cut.left = true
      if (at.y < near) cut.top = true
      if (at.x > width - near) cut.right = true
      if (at.y > height - near) cut.bottom = true
    }
  }
  return Object.values(cut).filter(Boolean).length
}

const turnedSize = ({ picture, turn }: Level): { width: number; height: number } =>
  turn === 90 || turn === 270 ? { width: picture.height, height: picture.width } : picture

/** A point of the level page in the picture before it was levelled, quarter turns apart. */
function inPicture(level: Level, x: number, y: number): { x: number; y: number } {
  const { width, height } = turnedSize(level)
  if (level.page.width === width && level.page.height === height) return { x, y }
  const angle = (level.degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const [dx, dy] = [x - level.page.width / 2, y - level.page.height / 2]
  return { x: width / 2 + dx * cos + dy * sin, y: height / 2 - dx * sin + dy * cos }
}
