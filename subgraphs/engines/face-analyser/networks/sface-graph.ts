/** Edge of the aligned face that SFace takes, in pixels. */
export const sfaceSize = 112
/** What goes in: red, green and blue planes of 0 to 255. */
export const sfaceInput = 'data'

const [modelGraph, graphInput, inputName] = [7, 11, 1]
/** of protobuf's wire format: a number, or bytes that say how many they are */
const [varintType, bytesType] = [0, 2]

interface Field {
  readonly number: number
  /** with its tag */
  readonly whole: Uint8Array
  readonly content: Uint8Array
}

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

/** The members of a message, in their order. */
function fieldsOf(message: Uint8Array): readonly Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at)
    const [number, type] = [tag.value >> 3, tag.value & 7]
    const head = readVarint(message, tag.next)
    if (type !== varintType && type !== bytesType) throw new Error('The face model is no ONNX file')
    const end = type === varintType ? head.next : head.next + head.value
    if (end > message.length) throw new Error('The face model is cut off')
    fields.push({ number, whole: message.subarray(at, end), content: message.subarray(head.next, end) })
    at = end
  }
  return fields
}

function readVarint(message: Uint8Array, from: number): { readonly value: number; readonly next: number } {
  let value = 0
  for (let at = from, unit = 1; at < message.length; at++, unit *= 128) {
    const byte = message[at] ?? 0
    value += (byte & 127) * unit
    if (byte < 128) return { value, next: at + 1 }
  }
  throw new Error('The face model is cut off')
}

function bytesField(number: number, content: Uint8Array): Uint8Array {
  const head = [(number << 3) | bytesType]
  let rest = content.length
  for (; rest > 127; rest = Math.floor(rest / 128)) head.push((rest & 127) | 128)
  return Buffer.concat([Uint8Array.from([...head, rest]), content])
}
