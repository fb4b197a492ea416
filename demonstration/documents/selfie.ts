import { type Capture, capture } from '../capture/capture.ts'
import { renderPng } from '../drawing/drawing.ts'
import { type Lighting, person, portrait, portraitSvg } from './drawn-face.ts'

/** Seeds of drawn persons that the face models distinguish: pairwise distances 0.67 to 0.72 (rejection threshold 0.62). */
export const differentPersons = [5, 23, 108] as const

export type Look = Lighting & Omit<Capture, 'background'>

/** Draws a photograph of one person, 600 x 720 unless scaled. @returns JPEG */
export function drawFace(seed: number, look: Look = {}): Promise<Buffer> {
  return drawGroup([seed], look)
}

/** Draws a photograph of several persons side by side. @returns JPEG */
export async function drawGroup(seeds: readonly number[], look: Look = {}): Promise<Buffer> {
  const width = portrait.width * seeds.length
  const people = seeds.map((seed, index) => portraitSvg(person(seed), look, { ...portrait, x: index * portrait.width, y: 0 }))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${portrait.height}">${people.join('')}</svg>`
  return capture(await renderPng(svg, width), { background: '#9fb4c4', jpegQuality: 92, ...look })
}
