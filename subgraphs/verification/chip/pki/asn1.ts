import { fromBER } from 'asn1js'

/** Invalid bytes: truncated, nested too deeply, or of another structure. The message contains none of the data. */
export class Unreadable extends Error {}

/** maximum of tree nodes; a chip has some hundreds */
const nodesOfAChip = 5000
const deepest = 32

export type Asn1 = ReturnType<typeof fromBER>['result']

/**
 * Reads one ASN.1 value (BER) with bounded cost.
 * @param maxNodes - maximum of tree nodes  @throws {Unreadable} also for extra bytes
 */
export function readBer(bytes: Uint8Array, maxNodes = nodesOfAChip): Asn1 {
  const { offset, result } = fromBER(bytes, { maxDepth: deepest, maxNodes, maxContentLength: bytes.length, parseEmbedded: false })
  if (offset < 0) throw new Unreadable('it is not ASN.1, or is nested or divided too deeply')
  if (offset !== bytes.length) throw new Unreadable('it is followed by extra bytes')
  return result
}

/** Runs a library's parser. @throws {Unreadable} instead of the parser's errors */
export function structured<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(`it is not a ${what}`, { cause: error })
  }
}

/** A BER tag and the position of its content. */
export interface TagLengthValue {
  readonly tag: number
  readonly content: Uint8Array
  /** tag, length and content */
  readonly bytes: Uint8Array
}

/** Reads the first value of definite length (ISO/IEC 7816-4, 5.2.2). @throws {Unreadable} when it is truncated */
export function firstTag(bytes: Uint8Array): TagLengthValue {
  const at = (index: number): number => {
    const byte = bytes[index]
    if (byte === undefined) throw new Unreadable('it is truncated')
    return byte
  }
  let from = 1
  let tag = at(0)
  if ((tag & 0x1f) === 0x1f) {
    tag = (tag << 8) | at(from++)
    if ((tag & 0x80) !== 0) throw new Unreadable('it has a tag longer than two bytes')
  }
  let length = at(from++)
  if (length > 0x84 || length === 0x80) throw new Unreadable('it has a length longer than four bytes')
  if (length > 0x80) {
    const count = length - 0x80
    length = 0
    for (let index = 0; index < count; index++) length = length * 256 + at(from++)
  }
  if (from + length > bytes.length) throw new Unreadable('it is truncated')
  return { tag, content: bytes.subarray(from, from + length), bytes: bytes.subarray(0, from + length) }
}

/** Returns the content of the first value with the tag. @throws {Unreadable} when it is missing */
export function contentOf(bytes: Uint8Array, tag: number): Uint8Array {
  let rest = bytes
  while (rest.length > 0) {
    const element = firstTag(rest)
    if (element.tag === tag) return element.content
    rest = rest.subarray(element.bytes.length)
  }
  throw new Unreadable('a required element is missing')
}
