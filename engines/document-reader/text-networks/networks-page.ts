import type { ReadingEffort } from '../document-reader.ts'
import { mergeReadings } from '../mrz/merge-readings.ts'
import type { MrzReading } from '../mrz/mrz-reading.ts'
import { boxesOf, withZone, type ZonedLevel } from '../mrz-image/find-zone.ts'
import { readMrz } from '../mrz-image/read-mrz.ts'
import { type Level, levelled } from '../page/level.ts'
import { maxLines, minInk, type PageReading } from '../page/page-reading.ts'
import { type Grey, quarterTurn, sample, shrink } from '../page/pixels.ts'
import { confidenceOf, lettersOf, lineOf } from '../page/printed-lines.ts'
import { pageQuality } from '../page/quality.ts'
import type { Rectangle } from '../page/rectangle.ts'
import { readAgain } from '../tesseract/tesseract-page.ts'
import type { TextEngine } from '../text-engine/text-engine.ts'
import { wordsOf } from './line-words.ts'
import { type LocatedLine, type NetworkZone, networkZone } from './network-zone.ts'
import type { TextNetworks } from './text-networks.ts'

export interface NetworkReaders {
  readonly networks: TextNetworks
  /** second opinion */
  readonly tesseract: TextEngine
}

/** Page width at which quality is measured, px. */
const measuredWidth = 1200
/** Minimum confidence; below it the text is the pattern of the paper. */
const minConfidence = 0.5
/** Minimum confidence and length of text that is upright. */
const upright = { confidence: 0.6, letters: 12 } as const

/** Reads a side with the networks; Tesseract reads the machine-readable zone again if its check digits fail. */
export async function readWithNetworks(
  readers: NetworkReaders,
  picture: Grey,
  effort: ReadingEffort,
  checkCancelled: () => void,
): Promise<PageReading> {
  const quality = pageQuality(shrink(picture, measuredWidth))
  if (quality.ink < minInk) return { level: levelled(picture, 0, 0), lines: [], confidence: 0, quality, zone: [] }
  const print = await readUpright(readers.networks, picture, checkCancelled)
  checkCancelled()
  const zone = networkZone(print.recognised)
  const { mrz, boxes, level } = await readZone(readers.tesseract, print.level, zone, effort, checkCancelled)
  const lines = print.recognised
    .filter((one) => zone?.lines.includes(one) !== true)
    .map(({ region, line }) => lineOf(wordsOf(line.print, region), 1))
    .filter((line) => line !== undefined && line.confidence >= minConfidence)
    .filter((line) => line !== undefined)
    .slice(0, maxLines)
  const reading: PageReading = { level, lines, confidence: confidenceOf(lines), quality, mrz, zone: boxes }
  return effort === 'thorough' ? readAgain(readers.tesseract, reading, undefined, checkCancelled) : reading
}

interface Print {
  readonly level: Level
  /** in pixels of the level page */
  readonly recognised: readonly LocatedLine[]
}

/** Reads the page in the most likely orientation, and if the text makes no sense in the next. */
async function readUpright(networks: TextNetworks, picture: Grey, checkCancelled: () => void): Promise<Print> {
  const likelihoods = await networks.orientation(picture)
  const turns = ([0, 90, 180, 270] as const).toSorted((a, b) => likelihoods[b] - likelihoods[a])
  let best: { readonly print: Print; readonly sense: number } | undefined
  for (const turn of turns) {
    checkCancelled()
    const { print, sense, isSure } = await readRotated(networks, picture, turn, checkCancelled)
    if (best === undefined || sense > best.sense) best = { print, sense }
    if (isSure || print.recognised.length === 0) break
  }
  if (best === undefined) throw new Error('unreachable: there are four orientations')
  return best.print
}

async function readRotated(networks: TextNetworks, picture: Grey, turn: Level['turn'], checkCancelled: () => void) {
  const page = quarterTurn(picture, turn)
  const regions = (await networks.detect(page)).filter(({ width, height }) => width > height * minAspect)
  checkCancelled()
  const lines = await networks.recognise(regions.map((region) => cutLine(page, region)))
  const level = levelled(picture, turn, degreesOf(regions))
  const recognised = regions.flatMap((region, at): LocatedLine[] => {
    const line = lines[at]
    return line === undefined || line.print.length === 0 ? [] : [{ region: onLevel(region, page, level), line }]
  })
  const printed = recognised.map(({ region, line }) => lineOf(wordsOf(line.print, region), 1)).filter((line) => line !== undefined)
  const [confidence, letters] = [confidenceOf(printed), lettersOf(printed)]
  const isSure = confidence > upright.confidence && letters > upright.letters
  return { print: { level, recognised }, sense: confidence * Math.min(60, letters), isSure }
}

/** Minimum aspect ratio of horizontal lines; a single letter is slightly narrower. */
const minAspect = 0.6

/** Returns the degrees that level the lines: the weighted median, long lines count more. */
function degreesOf(regions: readonly Rectangle[]): number {
  const angles = regions
    .flatMap(({ width, height, angle }) => Array<number>(Math.min(20, Math.floor(width / height))).fill(angle))
    .sort((a, b) => a - b)
  return ((angles[angles.length >> 1] ?? 0) * -180) / Math.PI
}

/** Maps a region to the level page. */
function onLevel({ centre, angle, ...size }: Rectangle, page: Grey, level: Level): Rectangle {
  const by = (level.degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(by), Math.sin(by)]
  const [dx, dy] = [centre.x - page.width / 2, centre.y - page.height / 2]
  return { ...size, angle: angle + by, centre: { x: level.width / 2 + dx * cos - dy * sin, y: level.height / 2 + dx * sin + dy * cos } }
}

interface ReadZone {
  readonly mrz: MrzReading | undefined
  readonly boxes: PageReading['zone']
  readonly level: Level
}

/** Accepts the reading of the networks if its check digits hold; otherwise merges it with Tesseract's. */
async function readZone(
  tesseract: TextEngine,
  level: Level,
  zone: NetworkZone | undefined,
  effort: ReadingEffort,
  checkCancelled: () => void,
): Promise<ReadZone> {
  const first = zone?.reading && mergeReadings(zone.reading.format, [zone.reading.cells])
  const boxes = (zone?.lines ?? []).map(({ region }) => boxOf(region))
  if (first?.holds === true) return { mrz: first.result, boxes, level }
  if (zone === undefined && effort === 'usual') return { mrz: undefined, boxes, level }
  checkCancelled()
  const grid: ZonedLevel = withZone(level)
  const { rows, shapes } = grid.zone ?? {}
  if (rows === undefined || shapes === undefined) return { mrz: first?.result, boxes, level }
  const isSame = zone?.reading?.format.width === rows.columns && zone.reading.format.grammar.length === rows.rows.length
  const mrz = await readMrz(tesseract, shapes, rows.columns, checkCancelled, isSame ? zone?.reading : undefined)
  return mrz === undefined ? { mrz: first?.result, boxes, level } : { mrz, boxes: boxesOf(rows), level: grid.level }
}

const boxOf = ({ centre, width, height }: Rectangle) => ({ left: centre.x - width / 2, top: centre.y - height / 2, width, height })

/** Cuts a line out, level. */
function cutLine(page: Grey, { centre, width: wide, height: high, angle }: Rectangle): Grey {
  const [width, height] = [Math.max(1, Math.round(wide)), Math.max(1, Math.round(high))]
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const down = y + 0.5 - height / 2
    for (let x = 0; x < width; x++) {
      const along = x + 0.5 - width / 2
      data[y * width + x] = sample(page, centre.x + along * cos - down * sin - 0.5, centre.y + along * sin + down * cos - 0.5)
    }
  }
  return { width, height, data }
}
