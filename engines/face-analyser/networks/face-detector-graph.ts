import { LayeredNetwork, type Weight } from '../../inference/onnx-layers.ts'

/** Edge of the square input image, in pixels. */
export const detectorSize = 512

const batchNormEpsilon = 0.001
/** Depthwise layers that halve the image. */
const halving = new Set([2, 4, 6, 12])

/**
 * Builds the face detector, SSD on MobileNet v1: image -> `boxes` (n, anchors, [top, left, bottom, right], shares of the edge) and `scores` (n,
 * anchors, 1).
 * @see Howard et al., "MobileNets", 2017 (arXiv 1704.04861); Liu et al., "SSD: Single Shot MultiBox Detector", ECCV 2016
 */
export function faceDetectorGraph(weights: ReadonlyMap<string, Weight>): Uint8Array {
  const net = new LayeredNetwork(weights)
  const heads = features(net, net.image(detectorSize, [127.5, 127.5, 127.5], 127.5))
  const encoded = predictions(net, heads, 'BoxEncodingPredictor', 4)
  const classes = predictions(net, heads, 'ClassPredictor', 3)
  decodeBoxes(net, encoded)
  net.graph.operator('Sigmoid', [columns(net, classes, 1, 2)], {}, 'scores')
  net.graph.output('scores', ['n', 'anchors', 1])
  return net.graph.toModel('face_detector')
}

/** Returns the six layers, from fine to coarse, on which boxes are predicted. */
function features(net: LayeredNetwork, image: string): readonly string[] {
  const pointwise = (x: string, scope: string, index: number, stride = 1): string => {
    const layer = `${scope}/Conv2d_${index}_pointwise`
    return net.relu6(net.convolution(x, `${layer}/weights`, { bias: net.values(`${layer}/convolution_bn_offset`), stride }))
  }
  const outputs: string[] = []
  let x = pointwise(image, 'MobilenetV1', 0, 2)
  for (let index = 1; index <= 13; index++) {
    x = pointwise(normalisedDepthwise(net, x, index), 'MobilenetV1', index)
    if (index === 11 || index === 13) outputs.push(x)
  }
  for (let index = 0; index < 8; index++) {
    const last = index % 2 === 1
    x = pointwise(x, 'Prediction', index, last ? 2 : 1)
    if (last) outputs.push(x)
  }
  return outputs
}

/** Folds a depthwise layer and its batch normalisation into one convolution. */
function normalisedDepthwise(net: LayeredNetwork, x: string, index: number): string {
  const layer = `MobilenetV1/Conv2d_${index}_depthwise`
  const variance = net.values(`${layer}/BatchNorm/moving_variance`)
  const mean = net.values(`${layer}/BatchNorm/moving_mean`)
  const scale = net.values(`${layer}/BatchNorm/gamma`).map((gamma, i) => gamma / Math.sqrt((variance[i] ?? 0) + batchNormEpsilon))
  const bias = net.values(`${layer}/BatchNorm/beta`).map((beta, i) => beta - (mean[i] ?? 0) * (scale[i] ?? 0))
  return net.relu6(net.depthwise(x, `${layer}/depthwise_weights`, { scale, bias, stride: halving.has(index) ? 2 : 1 }))
}

/** Concatenates the predictions of all heads as rows of `width` numbers, one row per anchor. */
function predictions(net: LayeredNetwork, heads: readonly string[], kind: string, width: number): string {
  const rows = heads.map((head, index) => {
    const layer = `Prediction/BoxPredictor_${index}/${kind}`
    const predicted = net.convolution(head, `${layer}/weights`, { bias: net.values(`${layer}/biases`) })
    const channelsLast = net.graph.operator('Transpose', [predicted], { perm: [0, 2, 3, 1] })
    return net.graph.operator('Reshape', [channelsLast, net.graph.integers([0, -1, width])])
  })
  return net.graph.operator('Concat', rows, { axis: 1 })
}

/** Decodes offsets from the anchors: centre in tenths, logarithm of the size in fifths (the usual SSD coder). */
function decodeBoxes(net: LayeredNetwork, encoded: string): void {
  const { graph } = net
  const anchors = net.values('Output/extra_dim')
  const count = anchors.length / 4
  const sizes = new Float32Array(count * 2)
  const centres = new Float32Array(count * 2)
  for (let i = 0; i < count * 2; i++) {
    const from = anchors[Math.floor(i / 2) * 4 + (i % 2)] ?? 0
    sizes[i] = (anchors[Math.floor(i / 2) * 4 + (i % 2) + 2] ?? 0) - from
    centres[i] = from + (sizes[i] ?? 0) / 2
  }
  const size = graph.floats(sizes, [1, count, 2])
  const tenths = graph.operator('Div', [columns(net, encoded, 0, 2), graph.floats([10])])
  const fifths = graph.operator('Div', [columns(net, encoded, 2, 4), graph.floats([5])])
  const centre = net.add(graph.operator('Mul', [tenths, size]), graph.floats(centres, [1, count, 2]))
  const half = graph.operator('Div', [graph.operator('Mul', [graph.operator('Exp', [fifths]), size]), graph.floats([2])])
  graph.operator('Concat', [graph.operator('Sub', [centre, half]), net.add(centre, half)], { axis: 2 }, 'boxes')
  graph.output('boxes', ['n', 'anchors', 4])
}

function columns(net: LayeredNetwork, rows: string, from: number, to: number): string {
  return net.graph.operator('Slice', [rows, net.graph.integers([from]), net.graph.integers([to]), net.graph.integers([2])])
}
