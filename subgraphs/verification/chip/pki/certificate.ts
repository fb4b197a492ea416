import { createHash, type KeyObject, X509Certificate } from 'node:crypto'
import { BitString, OctetString } from 'asn1js'
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate as PkiCertificate,
  PrivateKeyUsagePeriod,
  type RelativeDistinguishedNames,
} from 'pkijs'
import { z } from 'zod'
import { readBer, structured } from './asn1.ts'
import { isSigned, type SignatureScheme, schemeOf } from './signature.ts'

/** A certificate of a country or of a document signer (ICAO Doc 9303-12, 7.1). */
export interface Certificate {
  readonly der: Uint8Array
  /** SHA-256 of `der`, hex */
  readonly fingerprint: string
  /** names in a normalised form */
  readonly subject: string
  readonly issuer: string
  /** C of the subject in lower case, usually two letters */
  readonly country: string
  /** hex */
  readonly serial: string
  readonly validFrom: Date
  readonly validUntil: Date
  /** end of the private key's usage period; absent when not stated */
  readonly signsUntil?: Date
  readonly isAuthority: boolean
  /** key usage; undefined when not stated */
  readonly usage: KeyUsage | undefined
  readonly keyId: string | undefined
  readonly issuerKeyId: string | undefined
  readonly key: KeyObject
  readonly signed: SignedData
}

export interface KeyUsage {
  readonly signsData: boolean
  readonly signsCertificates: boolean
  readonly signsRevocations: boolean
}

/** Data signed by an issuer. */
export interface SignedData {
  readonly bytes: Uint8Array
  readonly signature: Uint8Array
  /** undefined for an unknown scheme */
  readonly scheme: SignatureScheme | undefined
}

const country = '2.5.4.6'

/** @throws {Unreadable} */
export function readCertificate(der: Uint8Array): Certificate {
  const parsed = structured('certificate', () => new PkiCertificate({ schema: readBer(der) }))
  const subject = nameOf(parsed.subject)
  const key = structured('certificate with a supported key', () => new X509Certificate(der).publicKey)
  const extension = <Value>(id: string, kind: abstract new (...args: never[]) => Value): Value | undefined => {
    const value: unknown = parsed.extensions?.find(({ extnID }) => extnID === id)?.parsedValue
    return value instanceof kind ? value : undefined
  }
  const signsUntil = extension('2.5.29.16', PrivateKeyUsagePeriod)?.notAfter
  const usage = extension('2.5.29.15', BitString)
  const keyId = extension('2.5.29.14', OctetString)
  const issuerKeyId = extension('2.5.29.35', AuthorityKeyIdentifier)?.keyIdentifier
  return {
    der,
    fingerprint: createHash('sha256').update(der).digest('hex'),
    subject,
    issuer: nameOf(parsed.issuer),
    country: countryIn(subject),
    serial: hex(parsed.serialNumber.valueBlock.valueHexView),
    validFrom: parsed.notBefore.value,
    validUntil: parsed.notAfter.value,
    ...(signsUntil && { signsUntil }),
    isAuthority: extension('2.5.29.19', BasicConstraints)?.cA === true,
    usage: usage && usageOf(usage.valueBlock.valueHexView),
    keyId: keyId && hex(keyId.valueBlock.valueHexView),
    issuerKeyId: issuerKeyId && hex(issuerKeyId.valueBlock.valueHexView),
    key,
    signed: {
      bytes: new Uint8Array(parsed.tbsView),
      signature: new Uint8Array(parsed.signatureValue.valueBlock.valueHexView),
      scheme: structured('certificate', () => schemeOf(parsed.signatureAlgorithm)),
    },
  }
}

/** @param bits - bits of the key usage (RFC 5280, 4.2.1.3), highest first */
function usageOf([first = 0]: Uint8Array): KeyUsage {
  return { signsData: (first & 0x80) !== 0, signsCertificates: (first & 0x04) !== 0, signsRevocations: (first & 0x02) !== 0 }
}

/** Returns whether the issuer's key signed the data. */
export const isSignedBy = ({ bytes, signature, scheme }: SignedData, { key }: Pick<Certificate, 'key'>): boolean =>
  scheme !== undefined && isSigned(bytes, signature, key, scheme)

/** Returns the country in a name from `nameOf`; empty when it has none. */
export const countryIn = (name: string): string =>
  z
    .array(z.tuple([z.string(), z.string()]))
    .parse(JSON.parse(name))
    .find(([type]) => type === country)?.[1] ?? ''

/** Normalises a name for comparison (RFC 5280, 7.1): case, string type and repeated blanks are ignored. */
export const nameOf = ({ typesAndValues }: RelativeDistinguishedNames): string =>
  JSON.stringify(typesAndValues.map(({ type, value }) => [type, String(value.valueBlock.value).trim().replace(/\s+/g, ' ').toLowerCase()]))

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
