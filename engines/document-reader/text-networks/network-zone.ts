import type { MrzFormat } from '../mrz/formats.ts'
import type { ReadCell } from '../mrz/merge-readings.ts'
import { type EarlierReading, formatOf } from '../mrz-image/read-mrz.ts'
import type { Rectangle } from '../page/rectangle.ts'
import type { RecognisedLine, ZoneCharacter } from './ctc-decoding.ts'

/** A printed line and its position. */
export interface LocatedLine {
  readonly region: Rectangle
  readonly line: RecognisedLine
}

/** The lines of a machine-readable zone, top first, and their cells if a format matches. */
export interface NetworkZone {
  readonly lines: readonly LocatedLine[]
  readonly reading?: EarlierReading
}

const widths = [30, 36, 44] as const
/** Maximum number of missing or surplus characters: runs of fillers. */
const maxMissing = 4
/** Minimum share of characters that occur in a zone. */
const minZoneShare = 0.85
/** Minimum ratio of line lengths in a zone, and maximum spacing in line heights. */
const minLengthRatio = 0.88
const maxSpacing = 5

/** Finds the zone among the lines of a page. @returns undefined if no lines resemble one */
export function networkZone(pageLines: readonly LocatedLine[]): NetworkZone | undefined {
  const candidates = pageLines.filter(isZoneLike).sort((a, b) => a.region.centre.y - b.region.centre.y)
  const lines = lowestGroup(candidates)
  if (lines === undefined) return undefined
  const reading = readingOf(lines.map(({ line }) => line.zone))
  return { lines, ...(reading && { reading }) }
}

function isZoneLike({ line: { print, zone } }: LocatedLine): boolean {
  const like = print.filter(({ text }) => /[A-Z0-9<«]/.test(text)).length
  return zone.length >= widths[0] - maxMissing && like >= print.length * minZoneShare
}

/** Returns the lowest two or three lines of equal length, at least one with fillers. */
function lowestGroup(candidates: readonly LocatedLine[]): readonly LocatedLine[] | undefined {
  let group: LocatedLine[] = []
  for (const one of candidates.toReversed()) {
    const [above] = group
    if (above === undefined || follows(one, above)) group = [one, ...group].slice(0, 3)
    else if (isGroup(group)) break
    else group = [one]
  }
  return isGroup(group) ? group : undefined
}

const isGroup = (lines: readonly LocatedLine[]): boolean => lines.length > 1 && lines.some(({ line }) => textOf(line.zone).includes('<<'))

function follows(upper: LocatedLine, lower: LocatedLine): boolean {
  const [a, b] = [upper.region, lower.region]
  const alike = Math.min(a.width, b.width) > minLengthRatio * Math.max(a.width, b.width)
  return alike && Math.abs(a.centre.x - b.centre.x) < a.width * (1 - minLengthRatio) && b.centre.y - a.centre.y < a.height * maxSpacing
}

const textOf = (zone: readonly ZoneCharacter[]): string => zone.map(({ text }) => text).join('')

function readingOf(zone: readonly (readonly ZoneCharacter[])[]): EarlierReading | undefined {
  const missing = (width: number): number => Math.max(...zone.map((line) => Math.abs(line.length - width)))
  const possible = widths.filter((width) => (zone.length === 3) === (width === 30) && missing(width) <= maxMissing)
  const [width] = possible.toSorted((a, b) => missing(a) - missing(b))
  if (width === undefined) return undefined
  const fitted = zone.map((line) => withFillers(line, width))
  const format = formatOf(width, zone.length, textOf(fitted[0] ?? []).slice(0, 5))
  return format && { format, cells: fitted.map((line, at) => cellsOf(format, at, line)) }
}

/** Corrects the length of long filler runs, where the network drops or doubles characters. */
function withFillers(line: readonly ZoneCharacter[], width: number): readonly ZoneCharacter[] {
  const runs = [...textOf(line).matchAll(/<+/g)].sort((a, b) => b[0].length - a[0].length)
  const [longest] = runs
  const filler = longest && line[longest.index]
  if (longest === undefined || filler === undefined || line.length === width) return line
  const fillers = Math.max(0, longest[0].length + width - line.length)
  return [...line.slice(0, longest.index), ...Array<ZoneCharacter>(fillers).fill(filler), ...line.slice(longest.index + longest[0].length)]
}

/** Returns the most likely letter or digit at positions that allow only one class. */
function cellsOf({ grammar }: MrzFormat, at: number, line: readonly ZoneCharacter[]): ReadCell[] {
  return [...(grammar[at] ?? '')].map((rule, column): ReadCell => {
    const character = line[column]
    if (character === undefined) return { text: '', confidence: 0 }
    const { text, letter, digit } = character
    if ((rule === 'a' || rule === 's') && /\d/.test(text)) return letter
    if ((rule === 'n' || rule === 'd') && /[A-Z]/.test(text)) return digit
    return character
  })
}
