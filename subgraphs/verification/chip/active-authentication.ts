import { constants, createHash, createPublicKey, type KeyObject, publicDecrypt, verify } from 'node:crypto'
import { ObjectIdentifier, Sequence, Set as SetOf } from 'asn1js'
import type { SubmittedChip } from '../submission/submission.ts'
import { readChipFile } from './passive-authentication.ts'
import { contentOf, firstTag, readBer, structured, Unreadable } from './pki/asn1.ts'

/** Whether the chip has the private key of its public key, or the reason why that is unknown. */
export type ActiveAuthentication = { readonly result: 'held' | 'not_held' } | { readonly result: 'unknown'; readonly why: string }

const securityOptionsTag = 0x6e
const publicKeyTag = 0x6f
/** minimum of bits in RSA keys of chips; a shorter key proves nothing */
const minRsaBits = 1024
const minEcBits = 192
const coordinateBits: Readonly<Record<string, number>> = { brainpoolP160r1: 160, secp160r1: 160, secp160k1: 160, secp160r2: 160 }

/**
 * Verifies active authentication (ICAO Doc 9303-11, 6.1): the chip signs fresh bytes with a key that cannot be extracted, so a copy of its
 * files fails. Meaningful only for files that passed passive authentication.
 * @param challenge - RND.IFD, 8 bytes @param response - response to INTERNAL AUTHENTICATE
 * @throws {UnreadableChip} for an invalid DG15 or DG14
 */
export function authenticateActively(chip: SubmittedChip, challenge: Uint8Array, response: Uint8Array): ActiveAuthentication {
  const { dg14, dg15 } = chip
  if (dg15 === undefined) return { result: 'unknown', why: 'the public key (DG15) was not submitted' }
  const key = readChipFile('dg15', () => publicKeyIn(dg15))
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'rsa') {
    if ((details?.modulusLength ?? 0) < minRsaBits) return { result: 'unknown', why: 'the key is too short' }
    return { result: isRecovered(key, challenge, response) ? 'held' : 'not_held' }
  }
  if (type !== 'ec' || (coordinateBits[details?.namedCurve ?? ''] ?? minEcBits) < minEcBits)
    return { result: 'unknown', why: 'the key type is unknown or the key is too short' }
  const hash = dg14 && readChipFile('dg14', () => signatureHashIn(dg14))
  if (hash === undefined) return { result: 'unknown', why: 'DG14 does not name the signature algorithm of the chip' }
  return { result: isPlainSigned(key, hash, challenge, response) ? 'held' : 'not_held' }
}

/** Reads SubjectPublicKeyInfo. @throws {Unreadable} */
function publicKeyIn(dg15: Uint8Array): KeyObject {
  const { bytes } = firstTag(contentOf(dg15, publicKeyTag))
  return structured('public key', () => createPublicKey({ key: Buffer.from(bytes), format: 'der', type: 'spki' }))
}

/** Trailer fields of ISO/IEC 9796-2 (functions numbered by ISO/IEC 10118-3): two bytes, the second is 0xcc. */
const trailers: Readonly<Record<number, string>> = { 51: 'sha1', 52: 'sha256', 53: 'sha512', 54: 'sha384', 56: 'sha224' }
const sha1Alone = 0xbc

/**
 * Verifies digital signature scheme 1 of ISO/IEC 9796-2 with partial recovery: the signature contains a part of the chip's message, and the
 * hash of that part and the challenge.
 */
function isRecovered(key: KeyObject, challenge: Uint8Array, response: Uint8Array): boolean {
  const size = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8)
  if (response.length !== size) return false
  let message: Buffer
  try {
    message = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, response)
  } catch {
    // a number that is not below the modulus
    return false
  }
  const last = message.at(-1)
  const hash = last === sha1Alone ? 'sha1' : last === 0xcc ? trailers[message.at(-2) ?? 0] : undefined
  const start = recoveredFrom(message)
  if (hash === undefined || start === undefined) return false
  const end = message.length - (last === sha1Alone ? 1 : 2)
  const { length } = createHash(hash).digest()
  if (end - length < start) return false
  const own = createHash(hash)
    .update(message.subarray(start, end - length))
    .update(challenge)
    .digest()
  return own.equals(message.subarray(end - length, end))
}

/**
 * Returns the start of the recovered part: after 01, the mark of partial recovery, 0, and a padding of nibbles 1011 that ends with 1010.
 */
function recoveredFrom(message: Buffer): number | undefined {
  const first = message[0] ?? 0
  if (first >> 4 !== 0b0110) return undefined
  if ((first & 0xf) === 0xa) return 1
  if ((first & 0xf) !== 0xb) return undefined
  let at = 1
  while (message[at] === 0xbb) at += 1
  return message[at] === 0xba ? at + 1 : undefined
}

/** Verifies ECDSA with concatenated numbers (plain format of BSI TR-03111, 5.2.1); some chips send the structure. */
function isPlainSigned(key: KeyObject, hash: string, challenge: Uint8Array, response: Uint8Array): boolean {
  return (['ieee-p1363', 'der'] as const).some((dsaEncoding) => {
    try {
      return verify(hash, challenge, { key, dsaEncoding }, response)
    } catch {
      return false
    }
  })
}

const activeAuthenticationInfo = '2.23.136.1.1.5'
/** Algorithms of ecdsa-plain-signatures (BSI TR-03111, 5.2.1.1), without RIPEMD-160. */
const plainHashes: Readonly<Record<string, string>> = {
  '0.4.0.127.0.7.1.1.4.1.1': 'sha1',
  '0.4.0.127.0.7.1.1.4.1.2': 'sha224',
  '0.4.0.127.0.7.1.1.4.1.3': 'sha256',
  '0.4.0.127.0.7.1.1.4.1.4': 'sha384',
  '0.4.0.127.0.7.1.1.4.1.5': 'sha512',
}

/**
 * Reads ActiveAuthenticationInfo from the SecurityInfos of DG14 (ICAO Doc 9303-11, 9.2).
 * @returns undefined when absent or of another algorithm
 */
function signatureHashIn(dg14: Uint8Array): string | undefined {
  const infos = readBer(firstTag(contentOf(dg14, securityOptionsTag)).bytes)
  if (!(infos instanceof SetOf)) throw new Unreadable('the security options are not a set')
  for (const info of infos.valueBlock.value) {
    if (!(info instanceof Sequence)) throw new Unreadable('a security option is not a sequence')
    const [protocol, , algorithm] = info.valueBlock.value
    if (!(protocol instanceof ObjectIdentifier) || protocol.getValue() !== activeAuthenticationInfo) continue
    if (algorithm instanceof ObjectIdentifier) return plainHashes[algorithm.getValue()]
  }
  return undefined
}
