import { workerData } from 'node:worker_threads'
import { type Box, decodeImage } from '../inference/images/image-decoder.ts'
import type { ImageFormat } from '../inference/images/image-format.ts'
import { type ImageProblem, InvalidImage } from '../inference/images/invalid-image.ts'
import { inferenceWorker, native } from '../inference/inference-thread.ts'
import { apparentAge } from './apparent-age.ts'
import type { AnalysedImage, DetectedFace, ImageKind, Turn } from './face-analyser.ts'
import { alignedChip, arcFaceChip } from './face-chip.ts'
import { faceCovering } from './face-covering.ts'
import { eyePatches } from './face-eyes.ts'
import { facePose, faceQuality } from './face-quality.ts'
import { type FaceCandidate, landmarksOf, type Search, searchFaces } from './face-search.ts'
import { type FaceModels, openFaceModels } from './networks/face-models.ts'

/** Runs in a worker thread, also directly from TypeScript: its imports must work with type stripping alone. */

export interface FaceTask {
  readonly image: Uint8Array
  readonly kind: ImageKind
  readonly upright: Turn | undefined
}

/** Errors lose their class between threads, so a refusal is returned as a value. */
export type FaceAnswer = { readonly image: AnalysedImage } | { readonly problem: ImageProblem }

/** A face is large on a selfie; on a document it is small and must not be reduced. */
const maxEdge = { selfie: 1600, frame: 1024, document: 2400, back: 1600 } as const

/** default: every photograph format. Chips: ISO/IEC 19794-5, 5.7.1 */
const formats: Readonly<Partial<Record<ImageKind, readonly ImageFormat[]>>> = { chip: ['jpeg', 'jpeg2000'], frame: ['jpeg', 'png'] }

/** A job has twenty frames; with 40 megapixels each they would occupy a thread for most of a minute. Phone video has 8.3 megapixels (3840 x 2160). */
const maxPixels: Readonly<Partial<Record<ImageKind, number>>> = { frame: 9_000_000 }

/** Maximum roll in degrees: the view is turned to make faces upright, so other landmarks are false. */
const maxRoll = 60

export interface FaceThreadData {
  readonly executionProviders: readonly string[]
  /** absolute path; undefined if SFace is not installed */
  readonly sfaceFile: string | undefined
}

// the creator of the thread passes this type
const { executionProviders, sfaceFile } = workerData as FaceThreadData

/** Wraps the models so that each call first checks for cancellation. */
function interruptible(models: FaceModels, cancelFlag: Int32Array): FaceModels {
  const guard = <Answer>(run: (square: Uint8Array) => Promise<Answer>) => {
    return (square: Uint8Array): Promise<Answer> => native(() => run(square), cancelFlag)
  }
  return {
    detect: guard(models.detect),
    landmarks: guard(models.landmarks),
    apparentAge: guard(models.apparentAge),
    describe: guard(models.describe),
    recognise: models.recognise && guard(models.recognise),
  }
}

async function analyse(models: FaceModels, { image, kind: shown, upright }: FaceTask): Promise<AnalysedImage> {
  // the portrait on a chip shows one person, like a selfie
  const kind = shown === 'chip' ? 'selfie' : shown
  const { format, width, height, pixels } = await decodeImage(image, maxEdge[kind], formats[shown], maxPixels[shown])
  const search = await searchFaces(models, pixels, kind, upright)
  const scale = width / pixels.width
  const faces: DetectedFace[] = []
  for (const face of search.faces) faces.push(await describe(models, search, face, scale))
  return {
    width,
    height,
    format,
    faces: kind === 'document' || kind === 'back' ? faces.filter(({ pose }) => Math.abs(pose.roll) < maxRoll) : faces,
  }
}

async function describe(models: FaceModels, search: Search, { box, score }: FaceCandidate, scale: number): Promise<DetectedFace> {
  const points = await landmarksOf(models, search.view, box)
  const chip = alignedChip(search.view, points)
  const upright = turnBack(box, search)
  return {
    box: { x: upright.x * scale, y: upright.y * scale, width: upright.width * scale, height: upright.height * scale },
    score,
    turn: search.turn,
    descriptor: await models.describe(chip),
    recognised: await models.recognise?.(arcFaceChip(search.view, points)),
    ...faceQuality(chip),
    pose: facePose(points),
    covering: faceCovering(chip),
    apparentAge: await apparentAge(models, search.view, box, points),
    eyes: eyePatches(chip),
    landmarks: points.map(({ x, y }) => ({ x: x * scale, y: y * scale })),
  }
}

/** Maps the box to the image before the turn. */
function turnBack({ x, y, width, height }: Box, { view, turn }: { view: { width: number; height: number }; turn: Turn }): Box {
  if (turn === 90) return { x: y, y: view.width - x - width, width: height, height: width }
  if (turn === 180) return { x: view.width - x - width, y: view.height - y - height, width, height }
  if (turn === 270) return { x: view.height - y - height, y: x, width: height, height: width }
  return { x, y, width, height }
}

export default inferenceWorker<FaceTask, FaceAnswer>(async () => {
  const models = await native(() => openFaceModels(executionProviders, sfaceFile))
  return async (task, cancelFlag) => {
    try {
      return { image: await analyse(interruptible(models, cancelFlag), task) }
    } catch (error) {
      if (error instanceof InvalidImage) return { problem: error.problem }
      throw error
    }
  }
})
