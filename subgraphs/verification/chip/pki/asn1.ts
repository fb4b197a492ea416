import { fromBER } from 'asn1js'

/** Bytes that are not what they should be: cut short, nested without end, of another structure. Its message holds nothing of them. */
export class Unreadable extends Error {}

/** Nodes of the tree. What a chip holds has some hundreds. */
const nodesOfAChip = 5000
const deepest = 32

export type Asn1 = ReturnType<typeof fromBER>['result']

/**
 * Reads one value of ASN.1 (BER), with bounds on what it may cost.
 * @param maxNodes - of the tree   @throws {Unreadable} also for bytes that follow the value
 */
export function readBer(bytes: Uint8Array, maxNodes = nodesOfAChip): Asn1 {
  const { offset, result } = fromBER(bytes, { maxDepth: deepest, maxNodes, maxContentLength: bytes.length, parseEmbedded: false })
  if (offset < 0) throw new Unreadable('it is not ASN.1, or is nested or divided too deeply')
  if (offset !== bytes.length) throw new Unreadable('it is followed by extra bytes')
  return result
}

/** What a library's reader makes of bytes. @throws {Unreadable} in place of whatever the reader throws */
export function structured<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(`it is not a ${what}`, { cause: error })
  }
}

/** A tag of BER and where its content lies. */
export interface TagLengthValue {
  readonly tag: number
  readonly content: Uint8Array
  /** the whole of it: tag, length and content */
  readonly bytes: Uint8Array
}

/** The first value that stands in the bytes, of definite length (ISO/IEC 7816-4, 5.2.2). @throws {Unreadable} when it is cut short */
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

/** The content of the first value that has the tag, among those that follow one another. @throws {Unreadable} where there is none */
export function contentOf(bytes: Uint8Array, tag: number): Uint8Array {
  let rest = bytes
  while (rest.length > 0) {
    const found = firstTag(rest)
    if (found.tag === tag) return found.content
    rest = rest.subarray(found.bytes.length)
  }
  throw new Unreadable('a required element is missing')
}
