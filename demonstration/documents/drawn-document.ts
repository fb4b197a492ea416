import { type Font, renderPng, textLine } from '../drawing/drawing.ts'
import { type Frame, passportFrame, person, portraitSvg } from './drawn-face.ts'

/** Lengths in millimetres from the top left corner of the document. */
export interface DocumentDrawing {
  readonly width: number
  readonly height: number
  /** Background colour and that of the security pattern */
  readonly paper: string
  readonly pattern: string
  readonly parts: readonly string[]
}

export interface PrintStyle {
  /** Font of the visual zone */
  readonly font?: Font
  /** Monospaced font of the machine-readable lines: size in millimetres, and advance as a share of it */
  readonly zoneFont?: ZoneFont
  /** Distance between machine-readable lines in millimetres: default 4.23; passports have 6.35 */
  readonly mrzLineHeight?: number
  /** Paths of the font files unless they are DejaVu's */
  readonly fontFiles?: readonly string[]
  /** `guilloche`: dense fine lines of a security print, also behind the text */
  readonly background?: 'waves' | 'guilloche'
  /** Data URL of a picture, `data:image/jpeg;base64,…`, cropped to fit, instead of a drawn face */
  readonly portrait?: string
  /** 11.7 gives an identity card of 1000 pixels width */
  readonly pixelsPerMillimetre?: number
}

export interface ZoneFont {
  readonly family: Font
  readonly size: number
  readonly advance: number
}

const monospaced: ZoneFont = { family: 'DejaVu Sans Mono', size: 3.6, advance: 0.602 }

/** Distance between machine-readable characters: ten per inch (ICAO 9303-3, 4.3). */
const pitch = 2.54

/** @returns PNG; rounded corners on grey, as on a scanner */
export function renderDocument(drawing: DocumentDrawing, printing: PrintStyle): Promise<Buffer> {
  const { pixelsPerMillimetre = 11.7, fontFiles, background = 'waves' } = printing
  const { width, height, paper, parts } = drawing
  const lines = background === 'waves' ? waves(drawing) : guilloche(drawing)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="#777"/><rect width="${width}" height="${height}" rx="3" fill="${paper}"/>${lines}${parts.join('')}</svg>`
  return renderPng(svg, Math.round(width * pixelsPerMillimetre), fontFiles)
}

/** Wavy lines of a security print. */
function waves({ width, height, pattern }: DocumentDrawing): string {
  const step = height / 14
  const lines = Array.from({ length: 15 }, (_, i) => {
    const y = i * step
    return `<path d="M0,${y} Q${width / 4},${y - step * 1.7} ${width / 2},${y} T${width},${y}" stroke="${pattern}" stroke-width=".1" opacity=".45" fill="none"/>`
  })
  return lines.join('')
}

/** Two crossing families of parallel waves, and rosettes. */
function guilloche({ width, height, pattern }: DocumentDrawing): string {
  const step = height / 48
  const wave = (y: number, rise: number): string =>
    `<path d="M0,${y} ${Array.from({ length: 6 }, (_, i) => `q${width / 24},${i % 2 === 0 ? -rise : rise} ${width / 12},0 q${width / 24},${i % 2 === 0 ? rise : -rise} ${width / 12},0`).join(' ')}" stroke="${pattern}" stroke-width=".12" opacity=".4" fill="none"/>`
  const rosette = (x: number, y: number, radius: number): string =>
    Array.from(
      { length: 24 },
      (_, i) =>
        `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${radius * 0.35}" transform="rotate(${i * 7.5} ${x} ${y})" stroke="${pattern}" stroke-width=".1" opacity=".35" fill="none"/>`,
    ).join('')
  const waved = Array.from({ length: 49 }, (_, i) => wave(i * step, 5) + wave(i * step, -5))
  return waved.join('') + rosette(width * 0.72, height * 0.45, height * 0.3) + rosette(width * 0.2, height * 0.7, height * 0.2)
}

/** A small label with its value below. */
export function field(
  label: string,
  value: string,
  at: { x: number; y: number },
  { font = 'DejaVu Sans' }: PrintStyle,
  size = 2.8,
): string {
  const name = textLine(label, { x: at.x, y: at.y, size: 1.5 }, { font, colour: '#334455' })
  return name + textLine(value, { x: at.x + 0.3, y: at.y + size + 0.7, size }, { font, bold: true })
}

export function title(text: string, at: { x: number; y: number; size: number }, { font = 'DejaVu Sans' }: PrintStyle): string {
  return textLine(text, at, { font, bold: true, colour: '#1d3c6e' })
}

/** Centres the lines on the document, the last one `bottom` millimetres above the lower edge. */
export function machineReadableZone(
  lines: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
  bottom: number,
  { zoneFont = monospaced, mrzLineHeight: lineHeight = 4.23 }: PrintStyle = {},
): string {
  const x = (width - (lines[0]?.length ?? 0) * pitch) / 2
  const top = height - bottom - (lines.length - 1) * lineHeight
  const drawn = lines.map((line, i) =>
    textLine(
      line,
      { x, y: top + i * lineHeight, size: zoneFont.size },
      { font: zoneFont.family, colour: '#111111', pitch, advance: zoneFont.advance },
    ),
  )
  return drawn.join('')
}

/** The photograph of the holder: given or drawn. */
export function photo(seed: number, place: Frame, { portrait }: PrintStyle = {}): string {
  if (portrait === undefined) return portraitSvg(person(seed), { background: '#e8e4da', light: 0.5 }, place, passportFrame)
  const { x, y, width, height } = place
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice" href="${portrait}"/>`
}

/** Formats 1987-07-14 as printed: 14.07.1987 */
export const printedDate = (date: string): string => date.split('-').reverse().join('.')
