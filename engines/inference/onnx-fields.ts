/** of protobuf's wire format: a number, or bytes that say how many they are */
const [varintType, bytesType] = [0, 2]

/** A member of a message: of its content nothing is read, so that a model is passed on as it was but for what is changed. */
export interface Field {
  readonly number: number
  /** with its tag */
  readonly whole: Uint8Array
  /** of a number nothing */
  readonly content: Uint8Array
  /** of bytes their length */
  readonly value: number
}

/** The members of a message, in their order. @throws {Error} when the bytes are no such message */
export function fieldsOf(message: Uint8Array): readonly Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at)
    const [number, type] = [tag.value >> 3, tag.value & 7]
    const head = readVarint(message, tag.next)
    if (type !== varintType && type !== bytesType) throw new Error('The model is no ONNX file')
    const end = type === varintType ? head.next : head.next + head.value
    if (end > message.length) throw new Error('The model is cut off')
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
  throw new Error('The model is cut off')
}

/** A member that is bytes: a text, numbers one after the other, or a message. */
export const bytesField = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([(number << 3) | bytesType, ...varint(content.length)]), content])

/** A member that is a whole number from 0. */
export const numberField = (number: number, value: number): Uint8Array => Uint8Array.from([(number << 3) | varintType, ...varint(value)])

function varint(value: number): readonly number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}
