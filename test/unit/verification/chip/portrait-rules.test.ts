import { describe, expect, it } from 'vitest'
import { readPortrait } from '../../../../subgraphs/verification/chip/portrait.ts'
import { portraitData } from '../../../support/chips/chip.ts'
import { tagged } from '../../../support/chips/der.ts'

const jpeg = Buffer.from('ffd8ffe000112233ffd9', 'hex')
const file = portraitData(jpeg)

describe('the portrait of a chip', () => {
  it('is the image of its facial record, byte for byte', () => expect(Buffer.from(readPortrait(file))).toEqual(jpeg))

  it('is read after feature points', () => {
    const at = file.indexOf('FAC')
    const record = Buffer.from(file.subarray(at))
    const points = Buffer.concat([record.subarray(0, 34), Buffer.alloc(16), record.subarray(34)])
    points.writeUInt32BE(points.length, 8)
    points.writeUInt32BE(points.length - 14, 14)
    points.writeUInt16BE(2, 18)
    const dg2 = tagged(0x75, tagged(0x7f61, tagged(0x7f60, tagged(0x7f2e, points))))
    expect(Buffer.from(readPortrait(dg2))).toEqual(jpeg)
  })

  it.each<[string, Buffer, RegExp]>([
    ['no template', tagged(0x75, tagged(0x02, Buffer.of(1))), /a required element is missing/],
    ['no biometric data', tagged(0x75, tagged(0x7f61, tagged(0x7f60, tagged(0xa1)))), /contains no portrait/],
    ['a record of another kind', Buffer.from(file.toString('latin1').replace('FAC', 'FIR'), 'latin1'), /not a facial record/],
    ['a record with a length beyond its end', withLength(0xffff_ffff), /truncated/],
    ['a record without an image', withLength(32), /truncated/],
  ])('is not read from %s', (_, bytes, sentence) => expect(() => readPortrait(bytes)).toThrow(sentence))
})

/** Returns the file with another length of the facial data. */
function withLength(length: number): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt32BE(length, copy.indexOf('FAC') + 14)
  return copy
}
