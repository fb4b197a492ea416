import { describe, expect, it } from 'vitest'
import { fastSface } from '../../../../subgraphs/engines/face-analyser/networks/sface-graph.ts'
import { tinySface } from '../../../support/samples/tiny-sface.ts'

describe('the graph of SFace', () => {
  it('keeps the face as its only input, and its weights', () => {
    const given = tinySface()
    const left = fastSface(given)
    const named = (name: string, model: Uint8Array): number => Buffer.from(model).toString('latin1').split(name).length - 1
    expect(left.length).toBeLessThan(given.length)
    // as an initializer and as what the product takes, no more as an input
    expect([named('constant_1', given), named('constant_1', left)]).toEqual([3, 2])
    expect(named('data', left)).toBe(named('data', given))
    expect(fastSface(left)).toEqual(left)
  })

  it('is refused where it takes no face, or ends too soon', () => {
    expect(() => fastSface(tinySface('image'))).toThrow('The face model has no input "data"')
    for (const length of [1, 10, 100, 1000]) expect(() => fastSface(tinySface().subarray(0, length))).toThrow(/cut off|no ONNX file/)
  })
})
