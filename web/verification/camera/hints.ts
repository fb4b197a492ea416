import { edgesAt } from './measures/document-edges.ts'
import { resemblesFace } from './measures/face-likeness.ts'
import type { Gray, Region } from './measures/gray.ts'
import { lightOf } from './measures/light.ts'
import { sharpnessOf } from './measures/sharpness.ts'

export type Subject = 'selfie' | 'document'

/** What a picture lacks, the most helpful first; each is said in words. */
export const advices = ['no-face', 'no-edges', 'dark', 'bright', 'glare', 'blurred'] as const
export type Advice = (typeof advices)[number]

/** longest side of the picture that is measured, in pixels: the lines below are of this size */
export const measuredSide = 400

/** `npm run evaluate -- camera-hints` measures where they lie */
const lines = {
  selfie: { sharpness: 60, dark: 60, bright: 225, glare: 0.15, beside: 200 },
  document: { sharpness: 600, dark: 75, bright: 252, glare: 0.01, beside: 205 },
} as const

/** two sides of a card may be as light as the table */
const leastSides = 3

/** Where the face or the document is to be: what is drawn over the camera's picture, and what is measured. */
export function frameOf(subject: Subject, width: number, height: number): Region {
  const ratio = subject === 'selfie' ? 0.75 : 1.5
  const frameHeight = Math.min(0.76 * height, (0.84 * width) / ratio)
  return {
    left: Math.round((width - frameHeight * ratio) / 2),
    top: Math.round((height - frameHeight) / 2),
    width: Math.round(frameHeight * ratio),
    height: Math.round(frameHeight),
  }
}

/**
 * What could be better in a picture of the camera. Hints for whoever holds it: the service decides by other means.
 * @param hasFace - what the browser's own face detector says; undefined: it has none, and light and shade are looked at
 */
export function hintsOf(gray: Gray, subject: Subject, hasFace?: boolean): readonly Advice[] {
  const frame = frameOf(subject, gray.width, gray.height)
  const line = lines[subject]
  const light = lightOf(gray, frame)
  const isThere = subject === 'selfie' ? (hasFace ?? resemblesFace(gray, frame)) : edgesAt(gray, frame).length >= leastSides
  const lacking: Readonly<Record<Advice, boolean>> = {
    'no-face': subject === 'selfie' && !isThere,
    'no-edges': subject === 'document' && !isThere,
    dark: light.mean < line.dark,
    bright: light.mean > line.bright,
    glare: light.glare > line.glare && light.beside < line.beside,
    blurred: sharpnessOf(gray, frame) < line.sharpness,
  }
  return advices.filter((advice) => lacking[advice])
}
