import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { renderAsync } from '@resvg/resvg-js'

/** A family of the npm package dejavu-fonts-ttf (DejaVu Sans, Serif, Sans Condensed, Sans Mono), or a font file passed with the drawing. */
export type Font = string

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

/**
 * Renders an SVG without system fonts, so that the result is the same on every machine. @param width - pixels; the height follows from the drawing
 * @param moreFonts - paths of further TrueType files
 * @returns PNG
 */
export async function renderPng(svg: string, width: number, moreFonts: readonly string[] = []): Promise<Buffer> {
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: [...fontFiles, ...moreFonts], defaultFontFamily: 'DejaVu Sans' },
    fitTo: { mode: 'width', value: width },
  })
  return image.asPng()
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Returns one line of text; sizes in units of the drawing. `pitch`: distance between characters of a monospaced font, whose advance is `advance`
 * times its size.
 */
export function textLine(
  text: string,
  at: { x: number; y: number; size: number },
  look: { font?: Font; bold?: boolean; colour?: string; pitch?: number; advance?: number } = {},
): string {
  const { font = 'DejaVu Sans', bold = false, colour = '#151515', pitch, advance = monospaceAdvance } = look
  const spacing = pitch === undefined ? '' : ` letter-spacing="${(pitch - advance * at.size).toFixed(4)}"`
  return `<text x="${at.x}" y="${at.y}" font-family="${font}" font-size="${at.size}" font-weight="${bold ? 'bold' : 'normal'}" fill="${colour}"${spacing} xml:space="preserve">${escapeXml(text)}</text>`
}

/** Advance of DejaVu Sans Mono as a share of the font size. */
const monospaceAdvance = 0.602
