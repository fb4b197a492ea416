import { Integer, OctetString, Sequence } from 'asn1js'
import { AlgorithmIdentifier } from 'pkijs'
import { type Asn1, contentOf, firstTag, readBer, structured, Unreadable } from './pki/asn1.ts'
import { hashOf } from './pki/signature.ts'
import { readSignedData, type SignedMessage } from './pki/signed-data.ts'

/** EF.SOD: hashes of the data groups and their signature (ICAO Doc 9303-10, 4.7). */
export interface SecurityObject extends Omit<SignedMessage, 'content' | 'contentType'> {
  /** Node's name of the hash function */
  readonly hash: string
  /** by number of the data group */
  readonly hashes: ReadonlyMap<number, Uint8Array>
}

const securityObjectTag = 0x77
const ldsSecurityObject = '2.23.136.1.1.1'
const dataGroups = 16

/** @param file - EF.SOD  @throws {Unreadable} */
export function readSecurityObject(file: Uint8Array): SecurityObject {
  const { content, contentType, ...message } = readSignedData(firstTag(contentOf(file, securityObjectTag)).bytes)
  if (contentType !== ldsSecurityObject) throw new Unreadable('the signed content is not the security object of a travel document')
  return { ...message, ...structured('security object', () => hashesIn(readBer(content))) }
}

/** Reads LDSSecurityObject of version 0 or 1, which differ after the hashes. */
function hashesIn(object: Asn1): Pick<SecurityObject, 'hash' | 'hashes'> {
  const [, algorithm, groups] = membersOf(object)
  const hash = hashOf(new AlgorithmIdentifier({ schema: algorithm }))
  if (hash === undefined) throw new Unreadable('the hash function is unknown')
  const list = membersOf(groups)
  if (list.length < 2 || list.length > dataGroups) throw new Unreadable(`it contains the hashes of ${list.length} data groups`)
  const hashes = new Map(
    list.map((group) => {
      const [number, value] = membersOf(group)
      if (!(number instanceof Integer) || !(value instanceof OctetString)) throw new Unreadable('a hash is invalid')
      return [number.valueBlock.valueDec, value.valueBlock.valueHexView] as const
    }),
  )
  if (hashes.size < list.length) throw new Unreadable('it contains two hashes of one data group')
  return { hash, hashes }
}

function membersOf(value: unknown): readonly Asn1[] {
  if (!(value instanceof Sequence)) throw new Unreadable('a sequence is invalid')
  return value.valueBlock.value
}
