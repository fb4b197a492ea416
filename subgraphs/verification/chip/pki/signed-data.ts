import { createHash } from 'node:crypto'
import { Constructed, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import { type Attribute, ContentInfo, IssuerAndSerialNumber, SignedData, type SignerInfo, Time } from 'pkijs'
import { readBer, structured, Unreadable } from './asn1.ts'
import { type Certificate, hex, nameOf, readCertificate } from './certificate.ts'
import { hashOf, isFit, isSigned, schemeOf } from './signature.ts'

/** A CMS message with its first signature (RFC 5652, 5). */
export interface SignedMessage {
  readonly contentType: string
  readonly content: Uint8Array
  /** certificates in the message */
  readonly certificates: readonly Certificate[]
  /** the certificate among them that the signature names */
  readonly signer: Certificate | undefined
  /** signing time stated by the signer */
  readonly signedAt: Date | undefined
  readonly signature: MessageSignature
}

/** unverifiable: an unsupported algorithm or key, or no certificate of the signer */
export type MessageSignature = 'valid' | 'invalid' | 'unverifiable'

const signedData = '1.2.840.113549.1.7.2'
const contentTypeAttribute = '1.2.840.113549.1.9.3'
const messageDigestAttribute = '1.2.840.113549.1.9.4'
const signingTimeAttribute = '1.2.840.113549.1.9.5'
const maxCertificates = 20

/** @param maxNodes - of ASN.1; by default the limit for chips  @throws {Unreadable} */
export function readSignedData(bytes: Uint8Array, maxNodes?: number): SignedMessage {
  const { message, certificates } = structured('signed message (CMS)', () => {
    const info = new ContentInfo({ schema: readBer(bytes, maxNodes) })
    if (info.contentType !== signedData) throw new Unreadable('it is a CMS message without a signature')
    // the original bytes, before a parser re-encodes them
    const came = certificatesIn(info.content)
    return { message: new SignedData({ schema: info.content }), certificates: came.map(readCertificate) }
  })
  const { eContent, eContentType } = message.encapContentInfo
  const [info] = message.signerInfos
  if (eContent === undefined) throw new Unreadable('it is a detached signature')
  if (info === undefined) throw new Unreadable('it has no signer')
  const content = new Uint8Array(eContent.getValue())
  const signer = certificates.find((certificate) => isMeant(info, certificate))
  const signedAt: unknown = attributeOf(info, signingTimeAttribute)?.values[0]
  return {
    contentType: eContentType,
    content,
    certificates,
    signer,
    signedAt: signedAt === undefined ? undefined : structured('time of signing', () => new Time({ schema: signedAt }).value),
    signature: structured('signature', () => verifiedBy(info, { content, contentType: eContentType, signer })),
  }
}

/** Returns the X.509 certificates in field [0] of SignedData. @throws {Unreadable} for too many */
function certificatesIn(content: unknown): readonly Uint8Array[] {
  const field = content instanceof Sequence ? content.valueBlock.value.find(({ idBlock }) => isTag(idBlock, 3, 0)) : undefined
  const members = field instanceof Constructed ? field.valueBlock.value.filter(({ idBlock }) => isTag(idBlock, 1, 16)) : []
  if (members.length > maxCertificates) throw new Unreadable(`it contains more than ${maxCertificates} certificates`)
  return members.map(({ valueBeforeDecodeView }) => valueBeforeDecodeView)
}

const isTag = (block: { readonly tagClass: number; readonly tagNumber: number }, tagClass: number, tagNumber: number): boolean =>
  block.tagClass === tagClass && block.tagNumber === tagNumber

/** Returns whether the signature names the certificate, by issuer and serial number or by key identifier. */
function isMeant({ sid }: SignerInfo, { issuer, serial, keyId }: Certificate): boolean {
  if (sid instanceof IssuerAndSerialNumber) return nameOf(sid.issuer) === issuer && hex(sid.serialNumber.valueBlock.valueHexView) === serial
  const id: unknown = sid
  return typeof id === 'object' && id !== null && 'valueBlock' in id && keyId !== undefined && hex(bytesOf(id.valueBlock)) === keyId
}

const bytesOf = (block: unknown): Uint8Array =>
  typeof block === 'object' && block !== null && 'valueHexView' in block && block.valueHexView instanceof Uint8Array
    ? block.valueHexView
    : new Uint8Array()

const attributeOf = ({ signedAttrs }: SignerInfo, id: string): Attribute | undefined =>
  signedAttrs?.attributes.find(({ type }) => type === id)

/** Verifies the content's digest among the signed attributes, and their signature (RFC 5652, 5.4 and 5.6). */
function verifiedBy(info: SignerInfo, message: Pick<SignedMessage, 'content' | 'contentType' | 'signer'>): MessageSignature {
  const { signedAttrs, digestAlgorithm, signatureAlgorithm, signature } = info
  const digest = hashOf(digestAlgorithm)
  const scheme = schemeOf(signatureAlgorithm, digest)
  // signed attributes are optional in CMS for plain data only, which this is not
  if (signedAttrs === undefined || digest === undefined || scheme === undefined || message.signer === undefined) return 'unverifiable'
  if (!isFit(message.signer.key, scheme)) return 'unverifiable'
  const type: unknown = attributeOf(info, contentTypeAttribute)?.values[0]
  const hash: unknown = attributeOf(info, messageDigestAttribute)?.values[0]
  if (!(type instanceof ObjectIdentifier) || type.getValue() !== message.contentType) return 'invalid'
  if (!(hash instanceof OctetString)) return 'invalid'
  const expected = createHash(digest).update(message.content).digest()
  if (!expected.equals(hash.valueBlock.valueHexView)) return 'invalid'
  const attributes = new Uint8Array(signedAttrs.encodedValue)
  return isSigned(attributes, signature.valueBlock.valueHexView, message.signer.key, scheme) ? 'valid' : 'invalid'
}
