/** protobuf wire types: a number, or length-delimited bytes */
const [varintType, bytesType] = [0, 2]

/** A field of a protobuf message; its content is not parsed, so that unchanged fields are copied verbatim. */
export interface Field {
  readonly number: number
  /** including the tag */
  readonly whole: Uint8Array
  /** empty for a number */
  readonly content: Uint8Array
  /** length for bytes */
  readonly value: number
}

/** Splits a message into its fields. @throws {Error} if the bytes are not such a message */
export function fieldsOf(message: Uint8Array): readonly Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at)
    const [number, type] = [tag.value >> 3, tag.value & 7]
    const head = readVarint(message, tag.next)
    if (type !== varintType && type !== bytesType) throw new Error('The model is not an ONNX file')
    const end = type === varintType ? head.next : head.next + head.value
    if (end > message.length) throw new Error('The model is truncated')
    fields.push({ number, whole: message.subarray(at, end), content: message.subarray(head.next, end), value: head.value })
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
  throw new Error('The model is truncated')
}

/** Encodes a length-delimited field: a text, packed numbers, or a message. */
export const bytesField = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([(number << 3) | bytesType, ...varint(content.length)]), content])

/** Encodes a non-negative integer field. */
export const numberField = (number: number, value: number): Uint8Array => Uint8Array.from([(number << 3) | varintType, ...varint(value)])

function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}
