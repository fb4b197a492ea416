import ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { fastSface } from '../../../../engines/face-analyser/networks/sface-graph.ts'
import { OnnxGraph } from '../../../../engines/inference/onnx-writer.ts'
import { tinySface } from '../../../support/samples/tiny-sface.ts'

describe('the graph of SFace', () => {
  it('has the face as its only input, and keeps its weights', () => {
    const original = tinySface()
    const optimised = fastSface(original)
    const named = (name: string, model: Uint8Array): number => Buffer.from(model).toString('latin1').split(name).length - 1
    expect(optimised.length).toBeLessThan(original.length)
    // as an initializer and as the operand of the product, no longer as an input
    expect([named('constant_1', original), named('constant_1', optimised)]).toEqual([3, 2])
    expect(named('data', optimised)).toBe(named('data', original))
    expect(fastSface(optimised)).toEqual(optimised)
  })

  it('returns bit-identical results to its PRelu', async () => {
    const original = sloped([-0.6, 0.3, 1.1])
    const fast = fastSface(original)
    expect(Buffer.from(original).includes('PRelu')).toBe(true)
    expect(Buffer.from(fast).includes('PRelu')).toBe(false)
    const values = [-7.3, 0.1, 5.7, -0.2, 3.9, -1.3, 0, -255, 255]
    expect(await answerOf(fast, values)).toEqual(await answerOf(original, values))
  })

  it('is refused when it has no face input or is truncated', () => {
    expect(() => fastSface(tinySface('image'))).toThrow('The model sface has no input "data"')
    for (const length of [1, 10, 100, 1000]) expect(() => fastSface(tinySface().subarray(0, length))).toThrow(/truncated|not an ONNX file/)
  })
})

/** Returns a network of a single PRelu with three channels. */
function sloped(slopes: readonly number[]): Uint8Array {
  const graph = new OnnxGraph()
  const face = graph.input('data', 'float32', [1, 3, 1, 3])
  graph.operator('PRelu', [face, graph.floats(Float32Array.from(slopes), [3, 1, 1])], {}, 'vector')
  graph.output('vector', [1, 3, 1, 3])
  return graph.toModel('sloped')
}

async function answerOf(model: Uint8Array, values: readonly number[]): Promise<unknown> {
  const session = await ort.InferenceSession.create(model)
  const { vector } = await session.run({ data: new ort.Tensor('float32', Float32Array.from(values), [1, 3, 1, 3]) })
  return vector?.data
}
