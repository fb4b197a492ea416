import ort from 'onnxruntime-node'
import { OnnxGraph } from './onnx-writer.ts'
import { GramWeights, gramsOf, hashedFeatures } from './text-classifier-features.ts'
import { type SoftmaxWeights, trainSoftmax } from './text-classifier-training.ts'

export interface LabelledText {
  readonly text: string
  readonly label: string
  readonly weight: number
}

/** Tells which of its labels a text belongs to. */
export interface TextClassifier {
  readonly name: string
  /** Probabilities by label, in no order; they add up to 1. Empty for a text without words. */
  classify(text: string): Promise<ReadonlyMap<string, number>>
}

const places = 8192

/** Gemm and Softmax: `features` [n, places] in, `probabilities` [n, classes] out. */
function softmaxGraph({ classes, weights, bias }: SoftmaxWeights): Uint8Array {
  const graph = new OnnxGraph()
  const features = graph.input('features', 'float32', ['n', places])
  const product = graph.operator('Gemm', [features, graph.floats(weights, [places, classes]), graph.floats(bias, [classes])])
  graph.operator('Softmax', [product], { axis: 1 }, 'probabilities')
  graph.output('probabilities', ['n', classes])
  return graph.toModel('text classifier')
}

/**
 * Learns from labelled texts, writes what it has learnt as an ONNX model and runs that. It knows the words and word pieces that it has
 * seen and nothing of what they mean: a language that the texts are not written in is guessed by likeness of words.
 */
export async function trainTextClassifier(texts: readonly LabelledText[], executionProviders: readonly string[]): Promise<TextClassifier> {
  const labels = [...new Set(texts.map(({ label }) => label))]
  const number = new Map(labels.map((label, index) => [label, index]))
  const grams = texts.map(({ text }) => gramsOf(text))
  const gramWeights = new GramWeights(grams)
  const training = texts.map(({ label, weight }, index) => ({
    features: hashedFeatures(grams[index] ?? new Map(), gramWeights, places),
    label: number.get(label) ?? 0,
    weight,
  }))
  const session = await ort.InferenceSession.create(softmaxGraph(trainSoftmax(training, places, labels.length)), {
    executionProviders: [...executionProviders],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  return {
    name: `softmax-hashed-ngrams-${places}`,
    async classify(text) {
      const sparse = hashedFeatures(gramsOf(text), gramWeights, places)
      if (sparse.places.length === 0) return new Map()
      const features = new Float32Array(places)
      for (const [index, place] of sparse.places.entries()) features[place] = sparse.values[index] ?? 0
      const { probabilities } = await session.run({ features: new ort.Tensor('float32', features, [1, places]) })
      if (!(probabilities?.data instanceof Float32Array)) throw new Error('The text classifier did not answer with numbers')
      const { data } = probabilities
      return new Map(labels.map((label, index) => [label, data[index] ?? 0]))
    },
  }
}
