import { edgesAt } from './measures/document-edges.ts'
import { resemblesFace } from './measures/face-likeness.ts'
import type { Gray, Region } from './measures/gray.ts'
import { lightOf } from './measures/light.ts'
import { sharpnessOf } from './measures/sharpness.ts'

export type Subject = 'selfie' | 'document'

/** Hints about a picture, most helpful first; the words have a sentence for each. */
export const advices = ['no-face', 'no-edges', 'dark', 'bright', 'glare', 'blurred'] as const
export type Advice = (typeof advices)[number]

/** longest side of the measured picture in pixels; the thresholds below apply to this size */
export const measuredSide = 400

/** measured by `npm run evaluate -- camera-hints` */
const lines = {
  selfie: { sharpness: 60, dark: 60, bright: 225, glare: 0.15, beside: 200 },
  document: { sharpness: 600, dark: 75, bright: 252, glare: 0.01, beside: 205 },
} as const

/** two sides of a card may be as light as the table */
const minSides = 3

/** The outline for the face or the document: drawn over the picture, and measured. */
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
 * Returns the hints for a picture; the service decides by other means.
 * @param hasFace - result of the browser's face detector; undefined: without a detector, light and shade are measured
 */
export function hintsOf(gray: Gray, subject: Subject, hasFace?: boolean): readonly Advice[] {
  const frame = frameOf(subject, gray.width, gray.height)
  const line = lines[subject]
  const light = lightOf(gray, frame)
  const isThere = subject === 'selfie' ? (hasFace ?? resemblesFace(gray, frame)) : edgesAt(gray, frame).length >= minSides
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
