import { bytesField, type Field, fieldsOf, numberField } from '../../inference/onnx-fields.ts'

const [modelGraph, graphInitializer, graphOutput] = [7, 5, 12]
const [tensorDims, tensorType, tensorRaw] = [1, 2, 9]
const [outputName, float32] = [1, 1]

/** What Latin script, its digits and its marks are made of; the network knows all of Chinese beside them. */
const latin = /^[\p{Script=Latin}\p{Nd}\p{P}\p{Sc}°ªº<=>+|]$/u
/** Behind it come the marks of other scripts, and the wide forms of these. */
const lastMark = 0x2116

export const blank = ''

/** What each class of the published network stands for. @param list - a character each line; the first class is the blank, the last the space */
export const classesOf = (list: string): readonly string[] => [blank, ...list.split(/\r?\n/).filter((line) => line !== ''), ' ']

/** Whether documents in Latin script have it. */
export const isKept = (character: string): boolean =>
  character === blank || character === ' ' || (latin.test(character) && (character.codePointAt(0) ?? 0) <= lastMark)

/**
 * The published network with the kept classes alone: the last layer, which weighs every class at every step, is a third of its work.
 * The file stays as it was checked.
 * @param classes - of the published network   @param kept - places among them
 * @throws {Error} when the bytes are no ONNX model, or its last layer does not tell so many classes
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 (GraphProto.initializer, TensorProto.dims and raw_data)
 */
export function withClasses(model: Uint8Array, classes: number, kept: readonly number[]): Uint8Array {
  let changed = 0
  const ofGraph = (field: Field): Uint8Array => {
    if (field.number === graphOutput) return bytesField(graphOutput, withoutShape(field.content))
    const rows = field.number === graphInitializer ? rowsOf(field.content, classes) : undefined
    if (rows === undefined) return field.whole
    changed += 1
    return bytesField(graphInitializer, withColumns(field.content, rows, classes, kept))
  }
  const parts = fieldsOf(model).map((field) =>
    field.number === modelGraph ? bytesField(modelGraph, Buffer.concat(fieldsOf(field.content).map(ofGraph))) : field.whole,
  )
  // weights and offsets
  if (changed !== 2) throw new Error(`The text network does not tell ${classes} characters apart`)
  return Buffer.concat(parts)
}

/** Of a tensor whose columns are the classes. */
function rowsOf(tensor: Uint8Array, classes: number): number | undefined {
  const fields = fieldsOf(tensor)
  const dims = fields.filter(({ number }) => number === tensorDims).map(({ value }) => value)
  if (dims.at(-1) !== classes) return undefined
  const rows = dims.slice(0, -1).reduce((all, size) => all * size, 1)
  const isFloat = fields.some(({ number, value }) => number === tensorType && value === float32)
  const raw = fields.find(({ number }) => number === tensorRaw)
  return isFloat && raw?.content.length === rows * classes * 4 ? rows : undefined
}

function withColumns(tensor: Uint8Array, rows: number, classes: number, kept: readonly number[]): Uint8Array {
  const fields = fieldsOf(tensor)
  const isClasses = (field: Field): boolean => field.number === tensorDims && field.value === classes
  const raw = fields.find(({ number }) => number === tensorRaw)?.content ?? new Uint8Array()
  const all = new Float32Array(Uint8Array.from(raw).buffer)
  const values = new Float32Array(rows * kept.length)
  for (let row = 0; row < rows; row++)
    for (const [at, place] of kept.entries()) values[row * kept.length + at] = all[row * classes + place] ?? 0
  return Buffer.concat(
    fields.map((field) => {
      if (isClasses(field)) return numberField(tensorDims, kept.length)
      return field.number === tensorRaw ? bytesField(tensorRaw, new Uint8Array(values.buffer)) : field.whole
    }),
  )
}

/** The runtime finds the shape of what comes out by itself. */
const withoutShape = (output: Uint8Array): Uint8Array =>
  Buffer.concat(fieldsOf(output).flatMap(({ number, whole }) => (number === outputName ? [whole] : [])))
