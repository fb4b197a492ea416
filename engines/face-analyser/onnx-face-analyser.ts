import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { workerModule } from '../../foundation/process/build-info.ts'
import { InvalidImage } from '../inference/images/invalid-image.ts'
import { InferenceThreads } from '../inference/inference-threads.ts'
import type { InstalledModel } from '../inference/installed-models.ts'
import type { PackagedManifest } from '../inference/model-manifest.ts'
import type { FaceAnalyser } from './face-analyser.ts'
import type { FaceAnswer, FaceTask, FaceThreadData } from './face-worker.ts'
import { weightFiles, weightsPackage } from './networks/face-weights.ts'

export interface FaceAnalyserOptions {
  /** Number of images analysed concurrently; about 300 MB each */
  readonly threads: number
  readonly executionProviders: readonly string[]
  /** undefined: faces are compared by dlib's network only */
  readonly sface?: InstalledModel<PackagedManifest> | undefined
  /** time limit of one image, ms; default one minute */
  readonly timeoutMs?: number
  readonly log: Log
}

const defaultTimeoutMs = 60_000
/** file name in its manifest */
const sfaceFile = 'sface.onnx'
const alone = 'dlib ResNet-29'

const nameOf = ({ manifest: { name, version } }: InstalledModel): string => `${name} ${version}`

/**
 * Analyses faces with three networks (SSD MobileNet v1, 68 landmarks, 128 numbers), and SFace if installed, on onnxruntime in worker threads, so that
 * decoding and inference never block the event loop. The models (300 MB) load on first use or by `ready`.
 */
export function onnxFaceAnalyser({
  threads,
  executionProviders,
  sface,
  timeoutMs = defaultTimeoutMs,
  log,
}: FaceAnalyserOptions): FaceAnalyser & Part {
  let pool: InferenceThreads<FaceTask, FaceAnswer, FaceThreadData> | undefined
  return {
    name: 'face analyser',
    versions: { ...modelVersions(), ...(sface && { face_recognition: nameOf(sface) }) },
    comparisonModel: sface === undefined ? alone : `${nameOf(sface)} and ${alone}`,
    async start() {
      requireWeights()
      pool = new InferenceThreads({
        worker: workerModule('face-worker', import.meta.url),
        threads,
        engine: 'face analyser',
        timeoutMs,
        terminable: false,
        data: { executionProviders, sfaceFile: sface && join(sface.folder, sfaceFile) },
        onUnloadable: (error) => log.error({ err: error }, 'could not load the face models'),
      })
    },
    async stop() {
      await pool?.stop()
      pool = undefined
    },
    async ready() {
      if (pool === undefined) throw new EngineUnavailable('face analyser')
      return pool.load()
    },
    async analyse(image, kind, signal, upright) {
      if (pool === undefined) throw new EngineUnavailable('face analyser')
      const answer = await pool.run({ image, kind, upright }, signal)
      if ('problem' in answer) throw new InvalidImage(answer.problem)
      return answer.image
    },
  }
}

/** @throws naming the missing file, at the start instead of with the first image */
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
