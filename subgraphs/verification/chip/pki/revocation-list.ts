import { OctetString } from 'asn1js'
import { AuthorityKeyIdentifier, CertificateRevocationList } from 'pkijs'
import { readBer, structured } from './asn1.ts'
import { type Certificate, hex, isSignedBy, nameOf, type SignedData } from './certificate.ts'
import { schemeOf } from './signature.ts'

/** A certificate revocation list of a country (ICAO Doc 9303-12, 7.1.4). */
export interface RevocationList {
  readonly der: Uint8Array
  /** same form as `Certificate.subject` */
  readonly issuer: string
  readonly issuerKeyId: string | undefined
  readonly issuedAt: Date
  /** time of the next update; absent when not stated */
  readonly dueAt: Date | undefined
  /** serial numbers, hex */
  readonly serials: ReadonlySet<string>
  readonly signed: SignedData
}

/** a country revokes some dozens of signers, with four nodes each */
const maxNodes = 200_000

/** @throws {Unreadable} */
export function readRevocationList(der: Uint8Array): RevocationList {
  return structured('certificate revocation list', () => {
    const list = new CertificateRevocationList({ schema: readBer(der, maxNodes) })
    const authority: unknown = list.crlExtensions?.extensions.find(({ extnID }) => extnID === '2.5.29.35')?.parsedValue
    const keyId: unknown = authority instanceof AuthorityKeyIdentifier ? authority.keyIdentifier : undefined
    return {
      der,
      issuer: nameOf(list.issuer),
      issuerKeyId: keyId instanceof OctetString ? hex(keyId.valueBlock.valueHexView) : undefined,
      issuedAt: list.thisUpdate.value,
      dueAt: list.nextUpdate?.value,
      serials: new Set((list.revokedCertificates ?? []).map(({ userCertificate }) => hex(userCertificate.valueBlock.valueHexView))),
      signed: {
        bytes: new Uint8Array(list.tbsView),
        signature: new Uint8Array(list.signatureValue.valueBlock.valueHexView),
        scheme: schemeOf(list.signatureAlgorithm),
      },
    }
  })
}

/** Returns whether a country's certificate issued the list. */
export const isIssuedBy = (list: RevocationList, authority: Certificate): boolean =>
  (list.issuer === authority.subject || (list.issuerKeyId !== undefined && list.issuerKeyId === authority.keyId)) &&
  authority.usage?.signsRevocations !== false &&
  isSignedBy(list.signed, authority)
