import '../inference/telemetry-opt-out.ts'
import { fileURLToPath } from 'node:url'
import ort from 'onnxruntime-node'
import { Piscina } from 'piscina'
import { workerModule } from '../../foundation/process/build-info.ts'
import { type GramKind, gramsBy } from '../text/grams.ts'
import { FeatureHasher, GramWeights } from './features.ts'
import type { LabelledText, TrainedClassifier, TrainingTask } from './text-classifier-worker.ts'
import { oncePerTask, type TrainOnce } from './training-cache.ts'

export type { LabelledText } from './text-classifier-worker.ts'

/** Classifies texts by label. */
export interface TextClassifier {
  readonly name: string
  /** Returns probabilities by label, unordered, with sum 1; empty for a text without words. */
  classify(text: string): Promise<ReadonlyMap<string, number>>
}

const buckets = 8192

/**
 * Trains on labelled texts, exports the result as an ONNX model and runs it. Knows only words and word pieces of the training texts; other languages
 * are classified by word similarity. Training runs in a worker thread and takes a second or two for 3,000 texts, the first time only. @param grams -
 * features of a text @param once - by default once on this machine
 */
export async function trainTextClassifier(
  texts: readonly LabelledText[],
  grams: GramKind,
  executionProviders: readonly string[],
  {
    once = (task, train) => oncePerTask(task, train),
    signal = AbortSignal.any([]),
  }: { readonly once?: TrainOnce; readonly signal?: AbortSignal } = {},
): Promise<TextClassifier> {
  const trained = await once({ texts, grams, buckets }, inThread, signal)
  const { labels } = trained
  const hasher = new FeatureHasher(new GramWeights(trained.textCount, trained.documentFrequency), buckets)
  const session = await ort.InferenceSession.create(trained.graph, {
    executionProviders: [...executionProviders],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  return {
    name: `softmax-hashed-ngrams-${buckets}`,
    async classify(text) {
      const features = hasher.features(gramsBy[grams](text))
      const { length } = features.indices
      if (length === 0) return new Map()
      const { probabilities } = await session.run({
        indices: new ort.Tensor('int32', features.indices, [length]),
        values: new ort.Tensor('float32', features.values, [1, length]),
      })
      if (!(probabilities?.data instanceof Float32Array)) throw new Error('The text classifier did not return numbers')
      const byLabel = new Map<string, number>()
      for (let index = 0; index < labels.length; index++) byLabel.set(labels[index] ?? '', probabilities.data[index] ?? 0)
      return byLabel
    },
  }
}

async function inThread(task: TrainingTask): Promise<TrainedClassifier> {
  const pool = new Piscina<TrainingTask, TrainedClassifier>({
    filename: fileURLToPath(workerModule('text-classifier-worker', import.meta.url)),
    maxThreads: 1,
    recordTiming: false,
  })
  try {
    return await pool.run(task)
  } finally {
    await pool.destroy()
  }
}
