import { type Font, renderPng, textLine } from './drawing.ts'
import { type Frame, type Lighting, passportFrame, person, portraitSvg } from './drawn-face.ts'

/** Everything in millimetres, from the top left corner of the document. */
export interface DocumentDrawing {
  readonly width: number
  readonly height: number
  /** Background colour and that of the security pattern */
  readonly paper: string
  readonly pattern: string
  readonly parts: readonly string[]
}

export interface Printing {
  /** Of the printed zone; the machine readable lines are always monospaced */
  readonly font?: Font
  /** 11.7 draws an identity card 1000 pixels wide */
  readonly pixelsPerMillimetre?: number
}

/** Distance between machine readable characters: ten to the inch (ICAO 9303-3, 4.3). */
const pitch = 2.54
const lineHeight = 4.23

/** @returns PNG; the corners are rounded onto grey, as a card lies on a scanner */
export function renderDocument(drawing: DocumentDrawing, { pixelsPerMillimetre = 11.7 }: Printing): Promise<Buffer> {
  const { width, height, paper, parts } = drawing
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="#777"/><rect width="${width}" height="${height}" rx="3" fill="${paper}"/>${waves(drawing)}${parts.join('')}</svg>`
  return renderPng(svg, Math.round(width * pixelsPerMillimetre))
}

/** The wavy lines of a security print. */
function waves({ width, height, pattern }: DocumentDrawing): string {
  const step = height / 14
  const lines = Array.from({ length: 15 }, (_, i) => {
    const y = i * step
    return `<path d="M0,${y} Q${width / 4},${y - step * 1.7} ${width / 2},${y} T${width},${y}" stroke="${pattern}" stroke-width=".1" opacity=".45" fill="none"/>`
  })
  return lines.join('')
}

/** A small label with its value below. */
export function field(label: string, value: string, at: { x: number; y: number }, { font = 'DejaVu Sans' }: Printing, size = 2.8): string {
  const name = textLine(label, { x: at.x, y: at.y, size: 1.5 }, { font, colour: '#334455' })
  return name + textLine(value, { x: at.x + 0.3, y: at.y + size + 0.7, size }, { font, bold: true })
}

export function title(text: string, at: { x: number; y: number; size: number }, { font = 'DejaVu Sans' }: Printing): string {
  return textLine(text, at, { font, bold: true, colour: '#1d3c6e' })
}

/** The lines centred across the document, the last one `bottom` millimetres above its lower edge. */
export function machineReadableZone(lines: readonly string[], width: number, height: number, bottom: number): string {
  const x = (width - (lines[0]?.length ?? 0) * pitch) / 2
  const top = height - bottom - (lines.length - 1) * lineHeight
  const drawn = lines.map((line, i) =>
    textLine(line, { x, y: top + i * lineHeight, size: 3.6 }, { font: 'DejaVu Sans Mono', colour: '#111111', pitch }),
  )
  return drawn.join('')
}

export function photo(seed: number, place: Frame, lighting: Lighting = {}): string {
  return portraitSvg(person(seed), { background: '#e8e4da', light: 0.5, ...lighting }, place, passportFrame)
}

/** 1987-07-14 as it is printed: 14.07.1987 */
export const printedDate = (date: string): string => date.split('-').reverse().join('.')
