import { Set as Asn1Set, Sequence } from 'asn1js'
import { readBer, Unreadable } from '../pki/asn1.ts'
import { type Certificate, readCertificate } from '../pki/certificate.ts'
import { readSignedData, type SignedMessage } from '../pki/signed-data.ts'

/** Certificates of countries, collected and signed by one country (ICAO Doc 9303-12, 9). */
export interface MasterList extends Pick<SignedMessage, 'signer' | 'certificates' | 'signature'> {
  /** DER of each certificate */
  readonly collected: readonly Uint8Array[]
}

const masterList = '2.23.136.1.1.2'
/** a certificate has about a hundred nodes; ICAO's list has 600 certificates */
const maxNodes = 1_000_000
const maxCollected = 5000

/** @throws {Unreadable} */
export function readMasterList(der: Uint8Array): MasterList {
  const { contentType, content, ...message } = readSignedData(der, maxNodes)
  if (contentType !== masterList) throw new Unreadable('the signed content is not a master list')
  const list = readBer(content, maxNodes)
  const collected = list instanceof Sequence ? list.valueBlock.value[1] : undefined
  if (!(collected instanceof Asn1Set)) throw new Unreadable('it is not a master list')
  if (collected.valueBlock.value.length > maxCollected) throw new Unreadable(`it has more than ${maxCollected} certificates`)
  return { ...message, collected: collected.valueBlock.value.map(({ valueBeforeDecodeView }) => valueBeforeDecodeView) }
}

/** Returns the readable certificates; unreadable ones are reported during import. */
export const readable = ({ collected }: MasterList): readonly Certificate[] =>
  collected.flatMap((der) => {
    try {
      return readCertificate(der)
    } catch (error) {
      if (error instanceof Unreadable) return []
      throw error
    }
  })
