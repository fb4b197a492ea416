import { LayeredNetwork, type Weight } from '../../inference/onnx-layers.ts'
import { trainingMean } from './face-landmark-graph.ts'

/** Edge of the aligned square image of one face, in pixels. */
export const chipSize = 150

/**
 * Builds the face recognition network: image of an aligned face -> `descriptor` (n, 128), compared by Euclidean distance. dlib's residual network (29
 * layers) as ported to face-api. The scale and bias per channel after each convolution are folded into it.
 * @see King, "High Quality Face Recognition with Deep Metric Learning", 2017 (99.38 % on LFW at distance 0.6)
 */
export function faceDescriptorGraph(weights: ReadonlyMap<string, Weight>): Uint8Array {
  const net = new LayeredNetwork(weights)
  const { graph } = net
  const scaled = (x: string, layer: string, stride = 1, padding: 'SAME_UPPER' | 'VALID' = 'SAME_UPPER'): string => {
    const scale = net.values(`${layer}/scale/weights`)
    const own = net.values(`${layer}/conv/bias`)
    const bias = net.values(`${layer}/scale/biases`).map((value, i) => (own[i] ?? 0) * (scale[i] ?? 0) + value)
    return net.convolution(x, `${layer}/conv/filters`, { scale, bias, stride, padding })
  }
  const residual = (x: string, block: string): string =>
    net.relu(net.add(scaled(net.relu(scaled(x, `${block}/conv1`)), `${block}/conv2`), x))
  /** Halves the image; the shortcut is averaged and padded with zero channels, the other path with a row and column if one short. */
  const halving = (x: string, block: string, newChannels: number, oneShort: boolean): string => {
    let path = scaled(net.relu(scaled(x, `${block}/conv1`, 2, 'VALID')), `${block}/conv2`)
    let shortcut = net.pool('AveragePool', x, 2, 2)
    if (oneShort) path = graph.operator('Pad', [path, graph.integers([0, 0, 0, 0, 0, 0, 1, 1])])
    if (newChannels > 0) shortcut = graph.operator('Pad', [shortcut, graph.integers([0, 0, 0, 0, 0, newChannels, 0, 0])])
    return net.relu(net.add(shortcut, path))
  }
  let x = net.image(chipSize, trainingMean, 255)
  x = net.pool('MaxPool', net.relu(scaled(x, 'conv32_down', 2, 'VALID')), 3, 2)
  for (const block of ['conv32_1', 'conv32_2', 'conv32_3']) x = residual(x, block)
  x = halving(x, 'conv64_down', 32, false)
  for (const block of ['conv64_1', 'conv64_2', 'conv64_3']) x = residual(x, block)
  x = halving(x, 'conv128_down', 64, false)
  for (const block of ['conv128_1', 'conv128_2']) x = residual(x, block)
  x = halving(x, 'conv256_down', 128, true)
  for (const block of ['conv256_1', 'conv256_2']) x = residual(x, block)
  x = halving(x, 'conv256_down_out', 0, true)
  graph.operator('MatMul', [net.globalAverage(x), net.tensor('fc')], {}, 'descriptor')
  graph.output('descriptor', ['n', 128])
  return graph.toModel('face_descriptor')
}
