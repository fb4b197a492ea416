import { constants, type KeyObject, verify } from 'node:crypto'
import { type AlgorithmIdentifier, RSASSAPSSParams } from 'pkijs'

/** Hash functions by object identifier (RFC 5754, RFC 3370), with Node's names. */
const hashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** @returns undefined for an unknown hash function */
export const hashOf = ({ algorithmId }: AlgorithmIdentifier): string | undefined => hashes[algorithmId]

/** A signature scheme. */
export interface SignatureScheme {
  readonly kind: 'rsa' | 'rsa-pss' | 'ecdsa'
  readonly hash: string
  /** bytes, for RSASSA-PSS */
  readonly saltLength?: number
}

/** Algorithms whose identifier includes the hash function (RFC 8017, RFC 5758). */
const schemes: Readonly<Record<string, SignatureScheme>> = {
  '1.2.840.113549.1.1.5': { kind: 'rsa', hash: 'sha1' },
  '1.2.840.113549.1.1.14': { kind: 'rsa', hash: 'sha224' },
  '1.2.840.113549.1.1.11': { kind: 'rsa', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { kind: 'rsa', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { kind: 'rsa', hash: 'sha512' },
  '1.2.840.10045.4.1': { kind: 'ecdsa', hash: 'sha1' },
  '1.2.840.10045.4.3.1': { kind: 'ecdsa', hash: 'sha224' },
  '1.2.840.10045.4.3.2': { kind: 'ecdsa', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { kind: 'ecdsa', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { kind: 'ecdsa', hash: 'sha512' },
}
const rsaPss = '1.2.840.113549.1.1.10'
const maskGeneration = '1.2.840.113549.1.1.8'
/** CMS identifiers that name the key type alone: the hash function is that of the signed attributes (RFC 3370, 3.2). */
const keyAlone: Readonly<Record<string, SignatureScheme['kind']>> = { '1.2.840.113549.1.1.1': 'rsa', '1.2.840.10045.2.1': 'ecdsa' }

/** @param digest - hash function of the signed attributes  @returns undefined for an unsupported scheme (DSA, other mask functions) */
export function schemeOf(algorithm: AlgorithmIdentifier, digest?: string): SignatureScheme | undefined {
  const id = algorithm.algorithmId
  const alone = keyAlone[id]
  if (alone !== undefined && digest !== undefined) return { kind: alone, hash: digest }
  if (id !== rsaPss) return schemes[id]
  const { hashAlgorithm, maskGenAlgorithm, saltLength } = new RSASSAPSSParams({ schema: algorithm.algorithmParams })
  const hash = hashOf(hashAlgorithm)
  const params: unknown = maskGenAlgorithm.algorithmParams
  // node:crypto uses one hash function for both
  const sameHash = maskGenAlgorithm.algorithmId === maskGeneration && hash !== undefined && maskHash(params) === hash
  return sameHash ? { kind: 'rsa-pss', hash, saltLength } : undefined
}

/** Returns the hash function of MGF1, whose parameter is an algorithm identifier. */
function maskHash(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('valueBlock' in params)) return undefined
  const { valueBlock } = params
  const parts: unknown = typeof valueBlock === 'object' && valueBlock !== null && 'value' in valueBlock ? valueBlock.value : undefined
  const [id]: unknown[] = Array.isArray(parts) ? parts : []
  const text = typeof id === 'object' && id !== null && 'getValue' in id && typeof id.getValue === 'function' ? String(id.getValue()) : ''
  // SHA-1 by default (RFC 8017, A.2.3)
  return parts === undefined ? 'sha1' : hashes[text]
}

/** minimum of RSA bits that ICAO Doc 9303-12 (4.4) has allowed signers; a shorter key proves nothing */
const minRsaBits = 2048
const minEcBits = 224
const ecBits: Readonly<Record<string, number>> = { prime192v1: 192, secp192k1: 192, brainpoolP160r1: 160, brainpoolP192r1: 192 }

/** Returns whether the key has the scheme's type and is long enough. OpenSSL also accepts curves without a name. */
export function isFit(key: KeyObject, { kind }: SignatureScheme): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (kind === 'ecdsa') return type === 'ec' && (ecBits[details?.namedCurve ?? ''] ?? minEcBits) >= minEcBits
  const isRsa = type === 'rsa' || (kind === 'rsa-pss' && type === 'rsa-pss')
  return isRsa && (details?.modulusLength ?? 0) >= minRsaBits
}

/** Returns whether the holder of the key signed the bytes. */
export function isSigned(bytes: Uint8Array, signature: Uint8Array, key: KeyObject, scheme: SignatureScheme): boolean {
  if (!isFit(key, scheme)) return false
  const { kind, hash, saltLength } = scheme
  const padding = { rsa: constants.RSA_PKCS1_PADDING, 'rsa-pss': constants.RSA_PKCS1_PSS_PADDING, ecdsa: undefined }[kind]
  try {
    return verify(
      hash,
      bytes,
      { key, ...(padding !== undefined && { padding }), ...(saltLength !== undefined && { saltLength }) },
      signature,
    )
  } catch {
    // a malformed signature, or a wrong salt length
    return false
  }
}
