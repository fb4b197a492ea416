import { bytesField, type Field, fieldsOf, numberField } from '../../inference/onnx-fields.ts'

const [modelGraph, graphInitializer, graphOutput] = [7, 5, 12]
const [tensorDims, tensorType, tensorRaw] = [1, 2, 9]
const [outputName, float32] = [1, 1]

/** Latin script with digits and punctuation; the network also has all Chinese characters. */
const latin = /^[\p{Script=Latin}\p{Nd}\p{P}\p{Sc}°ªº<=>+|]$/u
/** Followed by marks of other scripts and full-width forms. */
const lastMark = 0x2116

export const blank = ''

/**
 * Returns the character of each class of the published network. @param list - one character per line; the first class is the blank, the last the
 * space
 */
export const classesOf = (list: string): readonly string[] => [blank, ...list.split(/\r?\n/).filter((line) => line !== ''), ' ']

/** Whether documents in Latin script contain the character. */
export const isSupported = (character: string): boolean =>
  character === blank || character === ' ' || (latin.test(character) && (character.codePointAt(0) ?? 0) <= lastMark)

/**
 * Reduces the network to the kept classes, since the last layer takes a third of the time. The file on disk is unchanged.
 * @param classes - class count of the published network
 * @param classIndexes - indices of the remaining classes
 * @throws {Error} if the bytes are not an ONNX model with that number of classes
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 (GraphProto.initializer, TensorProto.dims and raw_data)
 */
export function withClasses(model: Uint8Array, classes: number, classIndexes: readonly number[]): Uint8Array {
  let changed = 0
  const ofGraph = (field: Field): Uint8Array => {
    if (field.number === graphOutput) return bytesField(graphOutput, withoutShape(field.content))
    const rows = field.number === graphInitializer ? rowsOf(field.content, classes) : undefined
    if (rows === undefined) return field.whole
    changed += 1
    return bytesField(graphInitializer, withColumns(field.content, rows, classes, classIndexes))
  }
  const parts = fieldsOf(model).map((field) =>
    field.number === modelGraph ? bytesField(modelGraph, Buffer.concat(fieldsOf(field.content).map(ofGraph))) : field.whole,
  )
  // weights and biases
  if (changed !== 2) throw new Error(`The text network does not distinguish ${classes} characters`)
  return Buffer.concat(parts)
}

/** Returns the row count of a tensor whose columns are the classes. */
function rowsOf(tensor: Uint8Array, classes: number): number | undefined {
  const fields = fieldsOf(tensor)
  const dims = fields.filter(({ number }) => number === tensorDims).map(({ value }) => value)
  if (dims.at(-1) !== classes) return undefined
  const rows = dims.slice(0, -1).reduce((all, size) => all * size, 1)
  const isFloat = fields.some(({ number, value }) => number === tensorType && value === float32)
  const raw = fields.find(({ number }) => number === tensorRaw)
  return isFloat && raw?.content.length === rows * classes * 4 ? rows : undefined
}

function withColumns(tensor: Uint8Array, rows: number, classes: number, classIndexes: readonly number[]): Uint8Array {
  const fields = fieldsOf(tensor)
  const isClasses = (field: Field): boolean => field.number === tensorDims && field.value === classes
  const raw = fields.find(({ number }) => number === tensorRaw)?.content ?? new Uint8Array()
  const all = new Float32Array(Uint8Array.from(raw).buffer)
  const values = new Float32Array(rows * classIndexes.length)
  for (let row = 0; row < rows; row++)
    for (const [at, place] of classIndexes.entries()) values[row * classIndexes.length + at] = all[row * classes + place] ?? 0
  return Buffer.concat(
    fields.map((field) => {
      if (isClasses(field)) return numberField(tensorDims, classIndexes.length)
      return field.number === tensorRaw ? bytesField(tensorRaw, new Uint8Array(values.buffer)) : field.whole
    }),
  )
}

/** Removes the output shape; the runtime infers it. */
const withoutShape = (output: Uint8Array): Uint8Array =>
  Buffer.concat(fieldsOf(output).flatMap(({ number, whole }) => (number === outputName ? [whole] : [])))
