import { yieldToOthers } from '../inference/inference-thread.ts'
import { OnnxGraph } from '../inference/onnx-writer.ts'
import { type GramKind, gramsBy } from '../text/grams.ts'
import { type HashCountArrays, HashCounts } from '../text/hash-counts.ts'
import { FeatureHasher, GramWeights } from './features.ts'
import { type SoftmaxWeights, trainSoftmax } from './softmax-training.ts'

/** Runs in a worker thread, in development from the TypeScript source: its imports must work under Node's type stripping. */

export interface LabelledText {
  readonly text: string
  readonly label: string
  /** weight relative to other texts */
  readonly weight: number
}

export interface TrainingTask {
  readonly texts: readonly LabelledText[]
  readonly grams: GramKind
  /** number of buckets that grams are hashed to; the length of a feature vector */
  readonly buckets: number
}

export interface TrainedClassifier {
  /** ONNX: inputs `indices` [n] and `values` [1, n], a sparse vector; output `probabilities` [1, classes] */
  readonly graph: Uint8Array
  /** labels of the classes, in order */
  readonly labels: readonly string[]
  readonly textCount: number
  /** number of texts that contain each gram */
  readonly documentFrequency: HashCountArrays
}

/** Builds Gather, Gemm and Softmax: reads only the weight rows of nonzero features, typically 100 of 8,000. */
function softmaxGraph({ buckets, classes, weights, bias }: SoftmaxWeights): Uint8Array {
  const graph = new OnnxGraph()
  const [indices, values] = [graph.input('indices', 'int32', ['n']), graph.input('values', 'float32', [1, 'n'])]
  const rows = graph.operator('Gather', [graph.floats(weights, [buckets, classes]), indices], { axis: 0 })
  const product = graph.operator('Gemm', [values, rows, graph.floats(bias, [classes])])
  graph.operator('Softmax', [product], { axis: 1 }, 'probabilities')
  graph.output('probabilities', [1, classes])
  return graph.toModel('text classifier')
}

export default function train({ texts, grams: gramKind, buckets }: TrainingTask): TrainedClassifier {
  yieldToOthers()
  const labels = [...new Set(texts.map(({ label }) => label))]
  const indexOfLabel = new Map(labels.map((label, index) => [label, index]))
  const grams = texts.map(({ text }) => gramsBy[gramKind](text))
  const gramWeights = GramWeights.of(grams)
  const hasher = new FeatureHasher(gramWeights, buckets)
  const training = texts.map(({ label, weight }, index) => ({
    features: hasher.features(grams[index] ?? new HashCounts()),
    label: indexOfLabel.get(label) ?? 0,
    weight,
  }))
  const graph = softmaxGraph(trainSoftmax(training, buckets, labels.length))
  return { graph, labels, textCount: gramWeights.textCount, documentFrequency: gramWeights.documentFrequency }
}
