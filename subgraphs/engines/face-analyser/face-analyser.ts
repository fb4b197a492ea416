import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { workerModule } from '../../foundation/concurrency/worker-module.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { ImageFormat } from '../images/image-format.ts'
import { InvalidImage } from '../images/invalid-image.ts'
import { InferenceThreads } from '../inference/inference-threads.ts'
import type { FacePose, FaceQuality } from './face-quality.ts'
import type { ImageKind, Turn } from './face-search.ts'
import { weightFiles, weightsPackage } from './face-weights.ts'
import type { FaceAnswer, FaceTask, FaceThreadData } from './face-worker.ts'

export { InvalidImage } from '../images/invalid-image.ts'

export interface DetectedFace extends FaceQuality {
  /** Pixels of the upright image */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** How sure the detector is, 0..1 */
  readonly score: number
  /** Degrees that the image must be turned clockwise for the face to stand upright: 0 unless it was photographed sideways */
  readonly turn: Turn
  /** 128 numbers, to be compared with `faceDistance`; biometric data, never to be stored or logged */
  readonly descriptor: Float32Array
  readonly pose: FacePose
}

export interface AnalysedImage {
  /** Pixels of the upright image as sent */
  readonly width: number
  readonly height: number
  readonly format: ImageFormat
  /** At most ten: on a selfie the largest first, on a document the surest */
  readonly faces: readonly DetectedFace[]
}

/** Finds and describes the faces of an image. */
export interface FaceAnalyser {
  /** Resolves once the models are loaded. @throws when they cannot be */
  ready(): Promise<unknown>
  /**
   * @param kind - where a face is expected: large in a selfie, small somewhere on a document
   * @param upright - the clockwise turn that makes the picture upright, where its text has told; otherwise the surest face tells
   * @throws {InvalidImage} when the bytes are not an image that can be looked at
   * @throws {EngineUnavailable} when the models could not be loaded, or too much is waiting already
   */
  analyse(image: Uint8Array, kind: ImageKind, signal: AbortSignal, upright?: Turn): Promise<AnalysedImage>
  /** Which model does what, for the version endpoint */
  readonly versions: Readonly<Record<string, string>>
}

/** Distances below are the same person: the line of the descriptor's author (99.38 % on LFW). */
export const rejectDistance = 0.6
/** From here to the reject line a person should look: prints and scans of the same face were measured up to 0.60. */
export const uncertainDistance = 0.5

/**
 * Euclidean distance of two face descriptors: 0 (the same image) to about 1.4; same person mean 0.38, different persons mean 0.88
 * (300 pairs of photographs).
 */
export function faceDistance(a: Float32Array, b: Float32Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0))
}

export interface FaceAnalyserOptions {
  /** Images looked at side by side; about 300 MB each */
  readonly threads: number
  readonly executionProviders: readonly string[]
  readonly log: Log
}

const timeoutMs = 60_000

/**
 * Faces by three networks (SSD MobileNet v1, 68 landmarks, 128 numbers) on onnxruntime, in threads of their own: decoding and inference
 * never hold up the event loop. `start` returns while the models load (about half a second); `analyse` waits for them.
 */
export function createFaceAnalyser({ threads, executionProviders, log }: FaceAnalyserOptions): FaceAnalyser & Part {
  let pool: InferenceThreads<Omit<FaceTask, 'givenUp'>, NonNullable<FaceAnswer>, FaceThreadData> | undefined
  return {
    name: 'face analyser',
    versions: modelVersions(),
    async start() {
      requireWeights()
      pool = new InferenceThreads({
        worker: workerModule('face-worker', import.meta.url),
        threads,
        engine: 'face analyser',
        timeoutMs,
        data: { executionProviders },
      })
      pool.ready.catch((error: unknown) => log.error({ err: error }, 'the face models could not be loaded'))
    },
    async stop() {
      await pool?.stop()
      pool = undefined
    },
    async ready() {
      if (pool === undefined) throw new EngineUnavailable('face analyser')
      return pool.ready
    },
    async analyse(image, kind, signal, upright) {
      if (pool === undefined) throw new EngineUnavailable('face analyser')
      const answer = await pool.run({ image, kind, upright }, signal)
      if ('problem' in answer) throw new InvalidImage(answer.problem)
      return answer.image
    },
  }
}

/** @throws when a model is not installed, naming its file: better at the start than with the first image */
function requireWeights(): void {
  for (const model of ['ssd_mobilenetv1_model', 'face_landmark_68_model', 'face_recognition_model'] as const) {
    for (const path of weightFiles(model).shards) statSync(path)
  }
}

function modelVersions(): Readonly<Record<string, string>> {
  const require = createRequire(import.meta.url)
  const version = (name: string): string => {
    const manifest: unknown = require(`${name}/package.json`)
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
  }
  const weights = `${weightsPackage} ${version(weightsPackage)}`
  return {
    face_detector: `SSD MobileNet v1 (${weights})`,
    face_landmarks: `68 points (${weights})`,
    face_descriptor: `dlib ResNet-29, 128 dimensions (${weights})`,
    face_runtime: `onnxruntime ${version('onnxruntime-node')}`,
  }
}
