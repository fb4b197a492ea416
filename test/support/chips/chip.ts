import { createHash } from 'node:crypto'
import type { SubmittedChip } from '../../../subgraphs/verification/submission/submission.ts'
import { algorithmOf, type MadeCertificate, nameOf, signedBy } from './country.ts'
import { empty, generalizedTime, integer, octets, oid, sequence, set, tagged } from './der.ts'

const hashes = {
  sha1: '1.3.14.3.2.26',
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const

export interface ChipOptions {
  readonly signer: MadeCertificate
  /** of the machine-readable zone */
  readonly lines: readonly string[]
  /** JPEG or JPEG 2000 */
  readonly portrait: Uint8Array
  readonly hash?: keyof typeof hashes
  readonly signedAt?: string
  readonly dg14?: Uint8Array | undefined
  readonly dg15?: Uint8Array | undefined
}

/** EF.DG1 */
export const biographicData = (lines: readonly string[]): Buffer => tagged(0x61, tagged(0x5f1f, Buffer.from(lines.join(''), 'latin1')))

/** EF.DG2 with one facial record of ISO/IEC 19794-5. @param kind - 0 JPEG, 1 JPEG 2000 */
export function portraitData(image: Uint8Array): Buffer {
  const kind = image[0] === 0xff && image[1] === 0xd8 ? 0 : 1
  const facial = Buffer.alloc(20)
  const information = Buffer.alloc(12)
  information.writeUInt8(1, 0)
  information.writeUInt8(kind, 1)
  facial.writeUInt32BE(facial.length + information.length + image.length, 0)
  const header = Buffer.alloc(14)
  header.write('FAC\x00010\x00', 'latin1')
  header.writeUInt32BE(header.length + facial.length + information.length + image.length, 8)
  header.writeUInt16BE(1, 12)
  const record = Buffer.concat([header, facial, information, image])
  const template = tagged(0x7f60, tagged(0xa1, tagged(0x81, Buffer.of(2))), tagged(0x5f2e, record))
  return tagged(0x75, tagged(0x7f61, tagged(0x02, Buffer.of(1)), template))
}

/** What is read from the chip that a signer has made out. */
export function makeChip(options: ChipOptions): SubmittedChip {
  const dg1 = biographicData(options.lines)
  const dg2 = portraitData(options.portrait)
  const { dg14, dg15 } = options
  const groups: readonly (readonly [number, Uint8Array])[] = [
    [1, dg1],
    [2, dg2],
    ...(dg14 === undefined ? [] : [[14, dg14] as const]),
    ...(dg15 === undefined ? [] : [[15, dg15] as const]),
  ]
  return { sod: securityObject(options, groups), dg1, dg2, ...(dg14 && { dg14 }), ...(dg15 && { dg15 }) }
}

/** EF.SOD over the data groups. */
export function securityObject(
  { signer, hash = 'sha256', signedAt }: Pick<ChipOptions, 'signer' | 'hash' | 'signedAt'>,
  groups: readonly (readonly [number, Uint8Array])[],
): Buffer {
  const algorithm = sequence(oid(hashes[hash]), empty)
  const values = groups.map(([number, bytes]) => sequence(integer(number), octets(createHash(hash).update(bytes).digest())))
  return tagged(0x77, signedMessage(signer, '2.23.136.1.1.1', sequence(integer(0), algorithm, sequence(...values)), signedAt))
}

/** SignedData of CMS with the signer's certificate. @param more - certificates that come with it */
export function signedMessage(
  signer: MadeCertificate,
  contentType: string,
  content: Buffer,
  signedAt?: string,
  more: readonly MadeCertificate[] = [],
): Buffer {
  const digest = sequence(oid(hashes.sha256), empty)
  const attributes = Buffer.concat([
    sequence(oid('1.2.840.113549.1.9.3'), set(oid(contentType))),
    ...(signedAt === undefined ? [] : [sequence(oid('1.2.840.113549.1.9.5'), set(generalizedTime(new Date(signedAt))))]),
    sequence(oid('1.2.840.113549.1.9.4'), set(octets(createHash('sha256').update(content).digest()))),
  ])
  const info = sequence(
    integer(1),
    sequence(nameOf(signer.issuer), integer(signer.serial)),
    digest,
    tagged(0xa0, attributes),
    algorithmOf(signer.keys.kind),
    octets(signedBy(signer.keys, set(attributes))),
  )
  const data = sequence(
    integer(3),
    set(digest),
    sequence(oid(contentType), tagged(0xa0, octets(content))),
    tagged(0xa0, ...[signer, ...more].map(({ der }) => der)),
    set(info),
  )
  return sequence(oid('1.2.840.113549.1.7.2'), tagged(0xa0, data))
}
