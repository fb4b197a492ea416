import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { renderAsync } from '@resvg/resvg-js'

/** Families of the npm package dejavu-fonts-ttf; the machine's own fonts are never looked at, so a drawing is the same everywhere. */
export type Font = 'DejaVu Sans' | 'DejaVu Serif' | 'DejaVu Sans Condensed' | 'DejaVu Sans Mono'

const folder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const fontFiles = [
  'DejaVuSans.ttf',
  'DejaVuSans-Bold.ttf',
  'DejaVuSerif.ttf',
  'DejaVuSerif-Bold.ttf',
  'DejaVuSansCondensed.ttf',
  'DejaVuSansCondensed-Bold.ttf',
  'DejaVuSansMono.ttf',
].map((file) => join(folder, file))

/** @param width - pixels; the height follows from the drawing @returns PNG */
export async function renderPng(svg: string, width: number): Promise<Buffer> {
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' },
    fitTo: { mode: 'width', value: width },
  })
  return image.asPng()
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** One line of text; sizes in the units of the drawing. `pitch`: distance from one character to the next, for a font of equal widths. */
export function textLine(
  text: string,
  at: { x: number; y: number; size: number },
  look: { font?: Font; bold?: boolean; colour?: string; pitch?: number } = {},
): string {
  const { font = 'DejaVu Sans', bold = false, colour = '#151515', pitch } = look
  const spacing = pitch === undefined ? '' : ` letter-spacing="${(pitch - monospaceAdvance * at.size).toFixed(4)}"`
  return `<text x="${at.x}" y="${at.y}" font-family="${font}" font-size="${at.size}" font-weight="${bold ? 'bold' : 'normal'}" fill="${colour}"${spacing} xml:space="preserve">${escapeXml(text)}</text>`
}

/** Advance of every character of DejaVu Sans Mono, as a share of the font size. */
const monospaceAdvance = 0.602
