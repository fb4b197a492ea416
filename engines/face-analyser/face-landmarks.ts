import { type Box, fitSquare } from '../inference/images/image-decoder.ts'
import type { Pixels } from '../inference/images/pixels.ts'
import type { Point } from './face-chip.ts'
import { landmarkSize } from './networks/face-landmark-graph.ts'
import type { FaceModels } from './networks/face-models.ts'

/**
 * @param box - face box in pixels of the view
 * @returns 68 points in pixels of the view
 */
export async function landmarksOf(models: FaceModels, view: Pixels, box: Box): Promise<readonly Point[]> {
  const shares = await models.landmarks(await fitSquare(view, box, landmarkSize, 'centre'))
  // converts from shares of the square in which the box was centred
  const edge = Math.max(box.width, box.height)
  const [left, top] = [box.x - (edge - box.width) / 2, box.y - (edge - box.height) / 2]
  return Array.from({ length: shares.length / 2 }, (_, i) => ({
    x: left + (shares[2 * i] ?? 0) * edge,
    y: top + (shares[2 * i + 1] ?? 0) * edge,
  }))
}
