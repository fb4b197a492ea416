import { OnnxGraph, tensorType } from './onnx-writer.ts'

/** A stored tensor. With `quantization`: one byte per value, value = byte * scale + min; otherwise 32-bit floats, little endian. */
export interface Weight {
  readonly shape: readonly number[]
  readonly raw: Uint8Array
  readonly quantization?: { readonly scale: number; readonly min: number } | undefined
}

/** Returns the values of a tensor in stored order. */
function valuesOf({ raw, quantization }: Weight): Float32Array {
  if (quantization !== undefined) return Float32Array.from(raw, (byte) => byte * quantization.scale + quantization.min)
  return new Float32Array(Uint8Array.from(raw).buffer)
}

type Padding = 'SAME_UPPER' | 'VALID'

/**
 * Layers of convolutional networks trained in TensorFlow, as ONNX operators. TensorFlow stores images and kernels channels-last, ONNX channels-first;
 * its "same" padding is SAME_UPPER in ONNX.
 *
 * Quantised kernels stay bytes in the model and are dequantised by operators, which onnxruntime folds natively when it loads the model: milliseconds
 * instead of more than a second in JavaScript.
 */
export class LayeredNetwork {
  readonly graph = new OnnxGraph()
  readonly #weights: ReadonlyMap<string, Weight>

  constructor(weights: ReadonlyMap<string, Weight>) {
    this.#weights = weights
  }

  values(name: string): Float32Array {
    return valuesOf(this.#weight(name))
  }

  shape(name: string): readonly number[] {
    return this.#weight(name).shape
  }

  /** Adds a tensor of the weights in its own shape as 32-bit floats. */
  tensor(name: string): string {
    const { graph } = this
    const { raw, shape, quantization } = this.#weight(name)
    if (quantization === undefined) return graph.constant('float32', raw, shape)
    const wide = graph.operator('Cast', [graph.constant('uint8', raw, shape)], { to: tensorType.float32 })
    return graph.operator('Add', [graph.operator('Mul', [wide, graph.floats([quantization.scale])]), graph.floats([quantization.min])])
  }

  /** Adds the input `image`: n square RGB byte images, channels-last; each channel becomes (value - mean) / divisor. */
  image(size: number, mean: readonly number[], divisor: number): string {
    const { graph } = this
    const bytes = graph.input('image', 'uint8', ['n', size, size, 3])
    const channelsFirst = graph.operator('Transpose', [graph.operator('Cast', [bytes], { to: tensorType.float32 })], { perm: [0, 3, 1, 2] })
    return graph.operator('Div', [graph.operator('Sub', [channelsFirst, graph.floats(mean, [1, 3, 1, 1])]), graph.floats([divisor])])
  }

  /** @param scale - factor of each output channel: a following normalisation folded into the convolution */
  convolution(
    x: string,
    kernel: string,
    options: { bias?: Float32Array; scale?: Float32Array; stride?: number; padding?: Padding } = {},
  ): string {
    const { bias, scale, stride = 1, padding = 'SAME_UPPER' } = options
    const factor = scale === undefined ? undefined : this.graph.floats(scale, [1, 1, 1, scale.length])
    return this.#convolve(x, kernel, { factor, perm: [3, 2, 0, 1], bias, stride, padding, group: 1 })
  }

  /** Adds a convolution with one filter per channel; the stored kernel is height x width x channels x 1. */
  depthwise(x: string, kernel: string, options: { bias?: Float32Array; scale?: Float32Array; stride?: number } = {}): string {
    const { bias, scale, stride = 1 } = options
    const factor = scale === undefined ? undefined : this.graph.floats(scale, [1, 1, scale.length, 1])
    const [, , group = 1] = this.shape(kernel)
    return this.#convolve(x, kernel, { factor, perm: [2, 3, 0, 1], bias, stride, padding: 'SAME_UPPER', group })
  }

  relu(x: string): string {
    return this.graph.operator('Relu', [x])
  }

  relu6(x: string): string {
    return this.graph.operator('Clip', [x, this.graph.floats([0], []), this.graph.floats([6], [])])
  }

  add(a: string, b: string): string {
    return this.graph.operator('Add', [a, b])
  }

  pool(kind: 'MaxPool' | 'AveragePool', x: string, size: number, stride: number, padding: Padding = 'VALID'): string {
    return this.graph.operator(kind, [x], { kernel_shape: [size, size], strides: [stride, stride], auto_pad: padding })
  }

  /** Adds the mean of each channel over the image. */
  globalAverage(x: string): string {
    return this.graph.operator('Flatten', [this.graph.operator('GlobalAveragePool', [x])], { axis: 1 })
  }

  #convolve(
    x: string,
    kernel: string,
    how: {
      factor: string | undefined
      perm: readonly number[]
      bias: Float32Array | undefined
      stride: number
      padding: Padding
      group: number
    },
  ): string {
    const stored = this.tensor(kernel)
    const scaled = how.factor === undefined ? stored : this.graph.operator('Mul', [stored, how.factor])
    const inputs = [x, this.graph.operator('Transpose', [scaled], { perm: how.perm })]
    if (how.bias !== undefined) inputs.push(this.graph.floats(how.bias))
    return this.graph.operator('Conv', inputs, {
      kernel_shape: this.shape(kernel).slice(0, 2),
      strides: [how.stride, how.stride],
      auto_pad: how.padding,
      group: how.group,
    })
  }

  #weight(name: string): Weight {
    const weight = this.#weights.get(name)
    if (weight === undefined) throw new Error(`The weights have no tensor ${name}`)
    return weight
  }
}
