import { type Box, fitSquare } from '../inference/images/image-decoder.ts'
import type { Pixels } from '../inference/images/image-format.ts'
import type { Point } from './face-chip.ts'
import { ageSize } from './networks/face-age-graph.ts'
import type { FaceModels } from './networks/face-models.ts'

/** Margin around the landmarks, as a share of their width and height. */
const margin = 0.1

/**
 * Estimates the apparent age in years: the mean of estimates for the detected box and for the box of the landmarks, which is more accurate than
 * either. @param box - in pixels of the view
 * @param landmarks - in pixels of the view
 */
export async function apparentAge(models: FaceModels, view: Pixels, box: Box, landmarks: readonly Point[]): Promise<number> {
  const years: number[] = []
  for (const cut of [box, boundsOf(landmarks, view)]) years.push(await models.apparentAge(await fitSquare(view, cut, ageSize, 'centre')))
  return years.reduce((sum, value) => sum + value, 0) / years.length
}

/** At least one pixel, inside the view. */
function boundsOf(landmarks: readonly Point[], view: Pixels): Box {
  const along = (coordinate: 'x' | 'y', length: number): { from: number; to: number } => {
    const places = landmarks.map((point) => point[coordinate])
    const [min, max] = [Math.min(...places), Math.max(...places)]
    const room = (max - min) * margin
    const from = Math.min(length - 1, Math.max(0, Math.floor(min - room)))
    return { from, to: Math.min(length, Math.max(from + 1, Math.ceil(max + room))) }
  }
  const [x, y] = [along('x', view.width), along('y', view.height)]
  return { x: x.from, y: y.from, width: x.to - x.from, height: y.to - y.from }
}
