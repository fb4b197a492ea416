import { yieldToOthers } from './background-thread.ts'
import { OnnxGraph } from './onnx-writer.ts'
import { type GramKind, GramWeights, gramsBy, hashedFeatures } from './text-classifier-features.ts'
import { type SoftmaxWeights, trainSoftmax } from './text-classifier-training.ts'

/** Runs in a worker thread, also straight from its TypeScript: nothing it imports may need more than types stripped. */

export interface LabelledText {
  readonly text: string
  readonly label: string
  /** how much it counts beside the others */
  readonly weight: number
}

export interface TrainingTask {
  readonly texts: readonly LabelledText[]
  readonly grams: GramKind
  readonly places: number
}

export interface TrainedClassifier {
  /** ONNX: `features` [n, places] in, `probabilities` [n, classes] out */
  readonly graph: Uint8Array
  /** of the classes, in their order */
  readonly labels: readonly string[]
  readonly texts: number
  /** how many texts have a gram */
  readonly having: ReadonlyMap<string, number>
}

/** Gemm and Softmax. */
function softmaxGraph({ places, classes, weights, bias }: SoftmaxWeights): Uint8Array {
  const graph = new OnnxGraph()
  const features = graph.input('features', 'float32', ['n', places])
  const product = graph.operator('Gemm', [features, graph.floats(weights, [places, classes]), graph.floats(bias, [classes])])
  graph.operator('Softmax', [product], { axis: 1 }, 'probabilities')
  graph.output('probabilities', ['n', classes])
  return graph.toModel('text classifier')
}

export default function train({ texts, grams: kind, places }: TrainingTask): TrainedClassifier {
  yieldToOthers()
  const labels = [...new Set(texts.map(({ label }) => label))]
  const number = new Map(labels.map((label, index) => [label, index]))
  const grams = texts.map(({ text }) => gramsBy[kind](text))
  const gramWeights = GramWeights.of(grams)
  const training = texts.map(({ label, weight }, index) => ({
    features: hashedFeatures(grams[index] ?? new Map(), gramWeights, places),
    label: number.get(label) ?? 0,
    weight,
  }))
  const graph = softmaxGraph(trainSoftmax(training, places, labels.length))
  return { graph, labels, texts: gramWeights.texts, having: gramWeights.having }
}
