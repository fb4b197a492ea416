import { isUtf8 } from 'node:buffer'

/** The bytes are not valid text in the detected encoding. */
export class UndecodableText extends Error {}

/**
 * Decodes a JSON body in the encoding of its first bytes: UTF-8 with or without byte order mark, UTF-16, UTF-32. Ignores a `charset` parameter, which
 * RFC 8259 gives no meaning. Keeps lone surrogates. @throws {UndecodableText}
 * @see CPython, json.detect_encoding and its decoding with 'surrogatepass'
 */
export function textOfJson(bytes: Buffer): string {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe)
    return third === 0 && fourth === 0 ? utf32(bytes.subarray(4), 'LE') : utf16(bytes.subarray(2), 'LE')
  if (first === 0xfe && second === 0xff) return utf16(bytes.subarray(2), 'BE')
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8(bytes.subarray(3))
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return utf32(bytes.subarray(4), 'BE')
  if (bytes.length >= 4) {
    if (first === 0) return second === 0 ? utf32(bytes, 'BE') : utf16(bytes, 'BE')
    if (second === 0) return third === 0 && fourth === 0 ? utf32(bytes, 'LE') : utf16(bytes, 'LE')
  } else if (bytes.length === 2) {
    if (first === 0) return utf16(bytes, 'BE')
    if (second === 0) return utf16(bytes, 'LE')
  }
  return utf8(bytes)
}

/** Decodes a body that is not JSON. @throws {UndecodableText} unless it is UTF-8 */
export function plainText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UndecodableText('not UTF-8')
  return bytes.toString('utf8')
}

function utf8(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : withSurrogates(bytes)
}

/**
 * Decodes surrogates encoded in three bytes (ED A0 80 to ED BF BF), which are invalid UTF-8 but accepted by Python. Replaces them by U+FFFD, also
 * three bytes, decodes the text as a whole and restores them: decoding piece by piece would take seconds for a body of surrogates.
 */
function withSurrogates(bytes: Buffer): string {
  const standIn = Buffer.from(bytes)
  /** the original of each U+FFFD of the text, in order */
  const meant: number[] = []
  for (let at = 0; at < standIn.length - 2; at++) {
    const first = standIn[at]
    if (first !== 0xed && first !== 0xef) continue
    const [second = 0, third = 0] = [standIn[at + 1], standIn[at + 2]]
    if (first === 0xef && second === 0xbf && third === 0xbd) meant.push(0xfffd)
    else if (first === 0xed && second >= 0xa0 && second <= 0xbf && third >= 0x80 && third <= 0xbf) {
      meant.push(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f))
      standIn[at] = 0xef
      standIn[at + 1] = 0xbf
      standIn[at + 2] = 0xbd
    } else continue
    at += 2
  }
  const units = Buffer.from(plainText(standIn), 'utf16le')
  let next = 0
  for (let at = 0; at < units.length; at += 2)
    if (units[at] === 0xfd && units[at + 1] === 0xff) units.writeUInt16LE(meant[next++] ?? 0xfffd, at)
  return units.toString('utf16le')
}

function utf16(bytes: Buffer, order: 'LE' | 'BE'): string {
  if (bytes.length % 2 !== 0) throw new UndecodableText('half a UTF-16 unit')
  return (order === 'LE' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le')
}

function utf32(bytes: Buffer, order: 'LE' | 'BE'): string {
  if (bytes.length % 4 !== 0) throw new UndecodableText('part of a UTF-32 unit')
  const units = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 4) {
    const point = order === 'LE' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
    if (point > 0x10ffff) throw new UndecodableText('beyond Unicode')
    if (point > 0xffff) {
      length = units.writeUInt16LE(0xd800 + ((point - 0x10000) >> 10), length)
      length = units.writeUInt16LE(0xdc00 + ((point - 0x10000) & 0x3ff), length)
    } else length = units.writeUInt16LE(point, length)
  }
  return units.toString('utf16le', 0, length)
}
