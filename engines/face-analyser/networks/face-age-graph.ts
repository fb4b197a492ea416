import { LayeredNetwork, type Weight } from '../../inference/onnx-layers.ts'
import { trainingMean } from './face-landmark-graph.ts'

/** Edge of the square image of one face, in pixels. */
export const ageSize = 112

/**
 * Builds the network for apparent age: image of a face -> `age` (n, 1) in years and `sex` (n, 2), shares of male and female. A small Xception: blocks
 * of two separable convolutions that halve the image beside a plain shortcut, with two blocks of three between them that keep its size.
 * @see Chollet, "Xception: Deep Learning with Depthwise Separable Convolutions", CVPR 2017; face-api (architecture and weights, MIT)
 */
export function faceAgeGraph(weights: ReadonlyMap<string, Weight>): Uint8Array {
  const net = new LayeredNetwork(weights)
  const { graph } = net
  const separable = (x: string, layer: string): string =>
    net.convolution(net.depthwise(x, `${layer}/depthwise_filter`), `${layer}/pointwise_filter`, { bias: net.values(`${layer}/bias`) })
  const halving = (x: string, block: string, first = net.relu(x)): string => {
    const path = separable(net.relu(separable(first, `${block}/separable_conv0`)), `${block}/separable_conv1`)
    const layer = `${block}/expansion_conv`
    const shortcut = net.convolution(x, `${layer}/filters`, { bias: net.values(`${layer}/bias`), stride: 2 })
    return net.add(net.pool('MaxPool', path, 3, 2, 'SAME_UPPER'), shortcut)
  }
  const image = net.image(ageSize, trainingMean, 255)
  let x = net.relu(net.convolution(image, 'entry_flow/conv_in/filters', { bias: net.values('entry_flow/conv_in/bias'), stride: 2 }))
  x = halving(x, 'entry_flow/reduction_block_0', x)
  x = halving(x, 'entry_flow/reduction_block_1')
  for (const block of ['middle_flow/main_block_0', 'middle_flow/main_block_1']) {
    let path = x
    for (let index = 0; index < 3; index++) path = separable(net.relu(path), `${block}/separable_conv${index}`)
    x = net.add(path, x)
  }
  x = halving(x, 'exit_flow/reduction_block')
  const features = net.globalAverage(net.relu(separable(x, 'exit_flow/separable_conv')))
  const dense = (layer: string, result?: string): string =>
    graph.operator('Gemm', [features, net.tensor(`${layer}/weights`), net.tensor(`${layer}/bias`)], {}, result)
  dense('fc/age', 'age')
  graph.operator('Softmax', [dense('fc/gender')], { axis: 1 }, 'sex')
  graph.output('age', ['n', 1])
  graph.output('sex', ['n', 2])
  return graph.toModel('face_age')
}
