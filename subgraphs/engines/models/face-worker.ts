import { workerData } from 'node:worker_threads'
import type { AnalysedImage, DetectedFace } from './face-analyser.ts'
import { alignedChip, type Point } from './face-chip.ts'
import { landmarkSize } from './face-landmark-graph.ts'
import { type FaceModels, openFaceModels } from './face-models.ts'
import { facePose, faceQuality } from './face-quality.ts'
import { type FoundFace, type Search, searchFaces, type Turn } from './face-search.ts'
import { type Box, decodeImage, fitSquare } from './image-decoder.ts'
import { type ImageProblem, InvalidImage } from './invalid-image.ts'

/** Runs in a worker thread, also straight from its TypeScript: nothing it imports may need more than types stripped. */

export interface FaceTask {
  readonly image: Uint8Array
  readonly kind: 'selfie' | 'document'
}

/** A thrown error loses its class between threads, so a refusal is an answer. */
export type FaceAnswer = { readonly image: AnalysedImage } | { readonly problem: ImageProblem }

/** A selfie shows its face large; on a document it is small and must not be made smaller. */
const longestEdge = { selfie: 1600, document: 2400 } as const

async function start(executionProviders: readonly string[]): Promise<(task: FaceTask) => Promise<FaceAnswer>> {
  const models = await openFaceModels(executionProviders)
  return async (task) => {
    try {
      return { image: await analyse(models, task) }
    } catch (error) {
      if (error instanceof InvalidImage) return { problem: error.problem }
      throw error
    }
  }
}

async function analyse(models: FaceModels, { image, kind }: FaceTask): Promise<AnalysedImage> {
  const { format, width, height, pixels } = await decodeImage(image, longestEdge[kind])
  const search = await searchFaces(models, pixels, kind)
  const scale = width / pixels.width
  const faces: DetectedFace[] = []
  for (const face of search.faces) faces.push(await describe(models, search, face, scale))
  return { width, height, format, faces }
}

async function describe(models: FaceModels, search: Search, { box, score }: FoundFace, scale: number): Promise<DetectedFace> {
  const shares = await models.landmarks(await fitSquare(search.view, box, landmarkSize, 'centre'))
  const points = inImage(shares, box)
  const chip = alignedChip(search.view, points)
  const upright = turnBack(box, search)
  return {
    box: { x: upright.x * scale, y: upright.y * scale, width: upright.width * scale, height: upright.height * scale },
    score,
    turn: search.turn,
    descriptor: await models.describe(chip),
    ...faceQuality(chip),
    pose: facePose(points),
  }
}

/** From shares of the square, in whose middle the box was fitted, to pixels. */
function inImage(shares: Float32Array, box: Box): readonly Point[] {
  const edge = Math.max(box.width, box.height)
  const [left, top] = [box.x - (edge - box.width) / 2, box.y - (edge - box.height) / 2]
  return Array.from({ length: shares.length / 2 }, (_, i) => ({
    x: left + (shares[2 * i] ?? 0) * edge,
    y: top + (shares[2 * i + 1] ?? 0) * edge,
  }))
}

/** The box in the image before it was turned. */
function turnBack({ x, y, width, height }: Box, { view, turn }: { view: { width: number; height: number }; turn: Turn }): Box {
  if (turn === 90) return { x: y, y: view.width - x - width, width: height, height: width }
  if (turn === 180) return { x: view.width - x - width, y: view.height - y - height, width, height }
  if (turn === 270) return { x: view.height - y - height, y: x, width: height, height: width }
  return { x, y, width, height }
}

/** The pool waits for it: a thread takes work once its models are loaded. */
export default start((workerData as { executionProviders: readonly string[] }).executionProviders)
