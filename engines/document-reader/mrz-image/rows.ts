import { type Grey, type Ink, inkMasks, type Mask, sample, shrink } from '../page/pixels.ts'

/** A row of evenly spaced characters, in pixels of the page. */
export interface CharacterRow {
  /** left edge of the first character's cell, at the row's middle line */
  readonly left: number
  /** middle line at `left` */
  readonly middle: number
  /** slope of the middle line: pixels down per pixel to the right */
  readonly slope: number
  readonly height: number
  /** mean width of a cell */
  readonly pitch: number
  /** width of the last cell minus that of the first, as a share of the mean; caused by perspective */
  readonly stretch: number
}

/** Candidate rows of a machine-readable zone, top first. */
export interface MrzRows {
  readonly columns: 30 | 36 | 44
  readonly rows: readonly CharacterRow[]
  /** how clearly the cells are separated, 0 to 1 */
  readonly clearness: number
}

const analysisWidths = [1000, 1600] as const
/** Clearness from which no other method is tried. */
export const sufficientClearness = 0.8

/** Minimum width of a row, as a share of the picture. */
const minWidth = 0.22

interface Band {
  top: number
  bottom: number
  readonly left: number[]
  readonly right: number[]
}

/** Thresholds of ink, from normal pages to textured or dark ones. */
const binarisations: readonly Ink[] = [
  { radius: 14, share: 0.82, soft: false },
  { radius: 14, share: 0.72, soft: false },
  { radius: 20, share: 0.88, soft: true },
  { radius: 10, share: 0.78, soft: true },
]

/** Finds the machine-readable zone of an upright page by its rows of evenly spaced characters; undefined without one. */
export function findMrzRows(page: Grey): MrzRows | undefined {
  let best: MrzRows | undefined
  // a document that fills the picture is clearest at 1000 px; a small one needs more
  for (const width of analysisWidths) {
    if (width > analysisWidths[0] && page.width <= analysisWidths[0]) break
    const small = shrink(page, Math.min(width, page.width))
    const maskOf = inkMasks(small)
    for (const ink of binarisations) {
      const mask = maskOf(ink)
      for (const group of groups(bands(mask))) {
        const candidate = gridOf(mask, group)
        if (candidate !== undefined && candidate.clearness > (best?.clearness ?? 0)) {
          best = { ...candidate, rows: candidate.rows.map((row) => enlarged(row, page.width / small.width)) }
        }
      }
      if (best !== undefined && best.clearness > sufficientClearness) return best
    }
  }
  return best
}

const enlarged = (row: CharacterRow, by: number): CharacterRow => ({
  left: row.left * by,
  middle: row.middle * by,
  slope: row.slope,
  height: row.height * by,
  pitch: row.pitch * by,
  stretch: row.stretch,
})

/** Returns the left edge of a column, in pixels from `left`. */
export const borderOf = ({ pitch, stretch }: Pick<CharacterRow, 'pitch' | 'stretch'>, columns: number, column: number): number =>
  pitch * (column + (stretch * column * (column - columns)) / (2 * columns))

/** Finds bands of rows in which ink and paper alternate often over a long stretch. */
function bands({ width, height, data }: Mask): Band[] {
  const gap = Math.round(width * 0.045)
  const bands: Band[] = []
  for (let y = 0; y < height; y++) {
    const run = longestRun(data, y * width, width, gap)
    if (run === undefined || run.changes < 30 || run.right - run.left < width * minWidth) continue
    const open = bands.find((band) => y - band.bottom <= 2 && overlap(band, run) > 0.7)
    if (open === undefined) bands.push({ top: y, bottom: y, left: [run.left], right: [run.right] })
    else {
      open.bottom = y
      open.left.push(run.left)
      open.right.push(run.right)
    }
  }
  return bands.filter((band) => band.bottom - band.top >= 6 && band.bottom - band.top <= 70)
}

/** Finds the stretch of a row with the most alternations and no gap wider than `gap`. */
function longestRun(data: Uint8Array, from: number, width: number, gap: number) {
  let best: { left: number; right: number; changes: number } | undefined
  let [left, last, changes, before] = [-1, -1, 0, 0]
  for (let x = 0; x < width; x++) {
    const ink = data[from + x] ?? 0
    if (ink === 1) {
      if (left < 0 || x - last > gap) [left, changes] = [x, 0]
      last = x
    }
    if (ink !== before && left >= 0) changes++
    if (ink === 1 && (best === undefined || changes > best.changes)) best = { left, right: x, changes }
    before = ink
  }
  return best
}

const middleOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function overlap(band: Band, run: { left: number; right: number }): number {
  const [left, right] = [middleOf(band.left), middleOf(band.right)]
  return (Math.min(right, run.right) - Math.max(left, run.left)) / (Math.max(right, run.right) - Math.min(left, run.left))
}

/** Groups two or three evenly spaced bands of the same width; lowest first. */
function groups(all: readonly Band[]): Band[][] {
  const groups: Band[][] = []
  for (const [index, first] of all.entries()) {
    for (const [offset, second] of all.slice(index + 1).entries()) {
      if (!follows(first, second)) continue
      groups.push([first, second])
      for (const third of all.slice(index + offset + 2)) {
        const even = Math.abs(third.top - second.top - (second.top - first.top)) < (second.top - first.top) * 0.3
        if (follows(second, third) && even) groups.push([first, second, third])
      }
    }
  }
  return groups.reverse()
}

/** ICAO 9303 zones have four lines per inch, 3.8 times the band height of a character. */
const maxSpacing = 4.8

function follows(above: Band, below: Band): boolean {
  const [a, b] = [above.bottom - above.top, below.bottom - below.top]
  const step = below.top - above.top
  const alike = overlap(above, { left: middleOf(below.left), right: middleOf(below.right) }) > 0.85
  return alike && Math.max(a, b) < 2.2 * Math.min(a, b) && step > Math.max(a, b) * 0.95 && step < Math.max(a, b) * maxSpacing
}

/** Fits a grid of 30, 36 or 44 columns to the rows and returns the one with the clearest cells. */
function gridOf(mask: Mask, group: readonly Band[]): MrzRows | undefined {
  const counts = group.length === 3 ? ([30] as const) : ([36, 44] as const)
  const lines = group.map((band) => straighten(mask, band))
  let best: MrzRows | undefined
  for (const columns of counts) {
    const rows = lines.map(({ middle, slope, height, left, right, profile }) => ({
      middle,
      slope,
      height,
      ...grid(profile, left, right, columns),
    }))
    const clearness = rows.reduce((sum, row) => sum + row.clearness, 0) / rows.length
    // characters are taller than wide, by less than a factor of two
    const shape = rows.every((row) => row.height / row.pitch > 0.75 && row.height / row.pitch < 2.3)
    if (shape && clearness > 0.35 && clearness > (best?.clearness ?? 0)) best = { columns, rows, clearness }
  }
  return best
}

/** Measures the middle line of a band and its ink per column along that line. */
function straighten({ width, height, data }: Mask, band: Band) {
  const [left, right] = [quantile(band.left, 0.2), quantile(band.right, 0.8)]
  const centre = (from: number, to: number): { x: number; y: number } => {
    let [sum, weight] = [0, 0]
    for (let y = Math.max(0, band.top - 3); y <= Math.min(height - 1, band.bottom + 3); y++) {
      for (let x = from; x < to; x++) {
        if (data[y * width + x] === 1) [sum, weight] = [sum + y, weight + 1]
      }
    }
    return { x: (from + to) / 2, y: weight === 0 ? (band.top + band.bottom) / 2 : sum / weight }
  }
  const third = (right - left) / 3
  const [a, b] = [centre(left, Math.round(left + third)), centre(Math.round(right - third), right)]
  const slope = Math.abs(b.y - a.y) / Math.max(1, b.x - a.x) < 0.03 ? (b.y - a.y) / Math.max(1, b.x - a.x) : 0
  const bandHeight = band.bottom - band.top + 1
  const centreLine = (band.top + band.bottom) / 2 - slope * ((right - left) / 2)
  // the band contains the rows with most alternations; characters extend beyond it
  const rowInk = (offset: number): number => {
    let sum = 0
    for (let x = left; x <= right; x++)
      sum += data[Math.min(height - 1, Math.max(0, Math.round(centreLine + offset + slope * (x - left)))) * width + x] ?? 0
    return sum
  }
  const inks = Array.from({ length: 4 * bandHeight + 1 }, (_, at) => rowInk(at - 2 * bandHeight))
  const minInk = Math.max(...inks.slice(Math.round(1.5 * bandHeight), Math.round(2.5 * bandHeight) + 1)) * 0.12
  let [above, below] = [0, 0]
  while (above < 2 * bandHeight && (inks[2 * bandHeight - above - 1] ?? 0) > minInk) above++
  while (below < 2 * bandHeight && (inks[2 * bandHeight + below + 1] ?? 0) > minInk) below++
  const tall = above + below + 1
  const middle = centreLine + (below - above) / 2
  const profile = new Float64Array(right - left + 1)
  for (let x = left; x <= right; x++) {
    const at = middle + slope * (x - left)
    for (let y = Math.max(0, Math.round(at - tall / 2)); y <= Math.min(height - 1, Math.round(at + tall / 2)); y++) {
      profile[x - left] = (profile[x - left] ?? 0) + (data[y * width + x] ?? 0)
    }
  }
  const run = widestRun(profile, tall * 0.75)
  return {
    left: left + run.from,
    right: left + run.to,
    middle: middle + slope * run.from,
    slope,
    height: tall,
    profile: profile.subarray(run.from, run.to + 1),
  }
}

/** Returns the longest stretch of columns without a gap; excludes the edge of the card beside the row. */
function widestRun(profile: Float64Array, gap: number): { from: number; to: number } {
  let best = { from: 0, to: profile.length - 1 }
  let widest = -1
  let [from, last] = [-1, -1]
  for (let x = 0; x < profile.length; x++) {
    // isolated noise is not ink
    if ((profile[x] ?? 0) < 2) continue
    if (from < 0 || x - last > gap) from = x
    last = x
    if (x - from > widest) [widest, best] = [x - from, { from, to: x }]
  }
  return best
}

interface Grid {
  readonly left: number
  readonly pitch: number
  readonly stretch: number
  readonly clearness: number
}

/** Perspective makes cells grow along a row; tried only if even cells are unclear. */
const stretches = [0, ...[0.04, 0.08, 0.12, 0.16, 0.2].flatMap((share) => [share, -share])]

/** Finds the pitch, phase and stretch whose cell borders carry the least ink. */
function grid(profile: Float64Array, left: number, right: number, columns: number): Grid {
  const width = right - left + 1
  const mean = profile.reduce((sum, value) => sum + value, 0) / profile.length || 1
  /** share of the ink that is not on a cell border */
  const clearnessAt = (pitch: number, phase: number, stretch: number): number => {
    let border = 0
    for (let at = 1; at < columns; at++) {
      const x = borderOf({ pitch, stretch }, columns, at) - phase
      const index = Math.floor(x)
      const part = x - index
      border += (profile[index] ?? 0) * (1 - part) + (profile[index + 1] ?? 0) * part
    }
    return 1 - border / (columns - 1) / mean
  }
  let best = { pitch: width / columns, phase: 0, stretch: 0, clearness: 0 }
  for (const stretch of stretches) {
    if (stretch !== 0 && best.stretch === 0 && best.clearness > sufficientClearness) break
    for (let share = 0.02; share <= 0.6; share += 0.02) {
      // the row spans all cells minus the free space of the first and the last one
      const pitch = width / (columns - share)
      for (let phase = 0; phase <= share * pitch; phase += 0.5) {
        const clearness = clearnessAt(pitch, phase, stretch)
        if (clearness > best.clearness + (stretch === best.stretch ? 0 : 0.02)) best = { pitch, phase, stretch, clearness }
      }
    }
  }
  // the middle of all equally good phases centres the characters in their cells
  const { pitch, stretch } = best
  const good = (phase: number): boolean => clearnessAt(pitch, phase, stretch) >= best.clearness - 0.03
  let [from, to] = [best.phase, best.phase]
  while (from - 0.25 > best.phase - pitch / 2 && good(from - 0.25)) from -= 0.25
  while (to + 0.25 < best.phase + pitch / 2 && good(to + 0.25)) to += 0.25
  return { left: left - (from + to) / 2, pitch, stretch, clearness: best.clearness }
}

/** Size of a cell in a strip, in pixels; tall enough to distinguish accents and neighbouring lines from the character. */
export const cell = { width: 26, height: 40 } as const

/** Cuts a row out, level, with cells of size `cell`, ink black on white. */
export function stripOf(page: Grey, row: CharacterRow, columns: number): Grey {
  const [width, height] = [columns * cell.width, cell.height]
  const data = new Uint8Array(width * height)
  // the characters fill three quarters of the strip height
  const step = (row.height * 1.34) / height
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const along = borderOf(row, columns, (x + 0.5) / cell.width)
      data[y * width + x] = sample(page, row.left + along, row.middle + row.slope * along + (y + 0.5 - height / 2) * step)
    }
  }
  return evened({ width, height, data })
}

/** Normalises paper to white and ink to black per stretch of four cells. */
function evened({ width, height, data }: Grey): Grey {
  const even = new Uint8Array(data.length)
  const reach = cell.width * 2
  const levels = Array.from({ length: Math.ceil(width / cell.width) }, (_, at) => {
    const values: number[] = []
    const middle = (at + 0.5) * cell.width
    for (let y = 4; y < height - 4; y += 2) {
      for (let x = Math.max(0, Math.round(middle - reach)); x < Math.min(width, middle + reach); x += 2)
        values.push(data[y * width + x] ?? 0)
    }
    return { dark: quantile(values, 0.04), bright: quantile(values, 0.7) }
  })
  for (let x = 0; x < width; x++) {
    const { dark, bright } = levels[Math.floor(x / cell.width)] ?? { dark: 0, bright: 255 }
    const span = Math.max(24, bright - dark)
    for (let y = 0; y < height; y++) {
      even[y * width + x] = Math.max(0, Math.min(255, Math.round((((data[y * width + x] ?? 0) - dark) / span) * 255)))
    }
  }
  return { width, height, data: even }
}
