import { contentOf, firstTag, Unreadable } from './pki/asn1.ts'

const dataGroup2 = 0x75
const group = 0x7f61
const template = 0x7f60
/** biometric data block, plain or with nested tags (ISO/IEC 7816-11) */
const dataBlocks = [0x5f2e, 0x7f2e] as const

/** Lengths of the parts of a facial record of ISO/IEC 19794-5:2005: header, facial information, feature point, image information. */
const lengths = { header: 14, facial: 20, point: 8, image: 12 } as const

/**
 * Returns the first portrait of a chip, JPEG or JPEG 2000, from its CBEFF templates (ICAO Doc 9303-10, 4.7.2) and facial record.
 * @throws {Unreadable}
 */
export function readPortrait(file: Uint8Array): Uint8Array {
  const first = contentOf(contentOf(contentOf(firstTag(file).bytes, dataGroup2), group), template)
  return imageOf(blockOf(first))
}

function blockOf(templateContent: Uint8Array): Uint8Array {
  for (const tag of dataBlocks) {
    try {
      return contentOf(templateContent, tag)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
    }
  }
  throw new Unreadable('it contains no portrait')
}

function imageOf(record: Uint8Array): Uint8Array {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  if (bytes.length < lengths.header + lengths.facial + lengths.image || bytes.toString('latin1', 0, 4) !== 'FAC\0')
    throw new Unreadable('the portrait is not a facial record of ISO/IEC 19794-5')
  const recordEnd = lengths.header + bytes.readUInt32BE(lengths.header)
  const points = bytes.readUInt16BE(lengths.header + 4)
  const from = lengths.header + lengths.facial + points * lengths.point + lengths.image
  if (from >= recordEnd || recordEnd > bytes.length) throw new Unreadable('the portrait is truncated')
  return record.subarray(from, recordEnd)
}
