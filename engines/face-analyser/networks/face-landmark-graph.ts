import { LayeredNetwork, type Weight } from '../../inference/onnx-layers.ts'

/** Edge of the square image of one face, in pixels. */
export const landmarkSize = 112

/** Mean colour of the training images of the landmark and descriptor networks. */
export const trainingMean: readonly number[] = [122.782, 117.001, 104.298]

/**
 * Builds the landmark network: image -> `points` (n, 136), x and y of 68 points alternating, as shares of the edge. Four dense blocks of separable
 * convolutions: the first layer of a block halves the image, the others add to the sum of all before.
 * @see Sagonas et al., "300 Faces in-the-Wild Challenge", 2013 (order of the points); face-api (architecture and weights, MIT)
 */
export function faceLandmarkGraph(weights: ReadonlyMap<string, Weight>): Uint8Array {
  const net = new LayeredNetwork(weights)
  const separable = (x: string, layer: string, stride = 1): string =>
    net.convolution(net.depthwise(x, `${layer}/depthwise_filter`, { stride }), `${layer}/pointwise_filter`, {
      bias: net.values(`${layer}/bias`),
    })
  let x = net.image(landmarkSize, trainingMean, 255)
  for (let block = 0; block < 4; block++) {
    const layer = `dense${block}`
    const halved =
      block === 0
        ? net.convolution(x, `${layer}/conv0/filters`, { bias: net.values(`${layer}/conv0/bias`), stride: 2 })
        : separable(x, `${layer}/conv0`, 2)
    const first = net.relu(halved)
    let sum = net.add(first, separable(first, `${layer}/conv1`))
    for (let index = 2; index < 4; index++) sum = net.add(sum, separable(net.relu(sum), `${layer}/conv${index}`))
    x = net.relu(sum)
  }
  net.graph.operator('Gemm', [net.globalAverage(x), net.tensor('fc/weights'), net.tensor('fc/bias')], {}, 'points')
  net.graph.output('points', ['n', 136])
  return net.graph.toModel('face_landmarks')
}
