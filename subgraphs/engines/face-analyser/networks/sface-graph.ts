import { bytesField, type Field, fieldsOf } from '../../inference/onnx-fields.ts'

/** Edge of the aligned face that SFace takes, in pixels. */
export const sfaceSize = 112
/** What goes in: red, green and blue planes of 0 to 255. */
export const sfaceInput = 'data'

const [modelGraph, graphInput, inputName] = [7, 11, 1]

/**
 * The published file of SFace as a model that runs at full speed: it declares its weights as inputs too, which keeps onnxruntime from taking them
 * for constants. The file stays as it was checked.
 * @throws {Error} when the bytes are no ONNX model, or one that takes something else
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 (ModelProto.graph, GraphProto.input, ValueInfoProto.name)
 */
export function withoutWeightInputs(model: Uint8Array): Uint8Array {
  const parts = fieldsOf(model).map((field) =>
    field.number === modelGraph ? bytesField(modelGraph, withOneInput(field.content)) : field.whole,
  )
  return Buffer.concat(parts)
}

function withOneInput(graph: Uint8Array): Uint8Array {
  const isInput = ({ number }: Field): boolean => number === graphInput
  const takesFace = (field: Field): boolean =>
    fieldsOf(field.content).some(({ number, content }) => number === inputName && Buffer.from(content).toString() === sfaceInput)
  const fields = fieldsOf(graph)
  if (!fields.some((field) => isInput(field) && takesFace(field))) throw new Error(`The face model has no input "${sfaceInput}"`)
  return Buffer.concat(fields.filter((field) => !isInput(field) || takesFace(field)).map(({ whole }) => whole))
}
