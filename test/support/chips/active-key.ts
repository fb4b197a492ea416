import { constants, createHash, generateKeyPairSync, type KeyObject, privateEncrypt, randomBytes, sign } from 'node:crypto'
import { integer, oid, sequence, set, tagged } from './der.ts'

/** The key with which a chip proves its authenticity. */
export interface ActiveKey {
  /** EF.DG15 */
  readonly dg15: Uint8Array
  /** EF.DG14, for a key on an elliptic curve. */
  readonly dg14?: Uint8Array | undefined
  /** INTERNAL AUTHENTICATE. @param challenge - RND.IFD */
  answer(challenge: Uint8Array): Buffer
}

const plain = { sha1: 1, sha224: 2, sha256: 3, ripemd160: 6, sha384: 4, sha512: 5 } as const
export type PlainHash = keyof typeof plain

/** EF.DG14 with ActiveAuthenticationInfo. */
export const securityOptions = (hash: PlainHash): Buffer =>
  tagged(0x6e, set(sequence(oid('2.23.136.1.1.5'), integer(1), oid(`0.4.0.127.0.7.1.1.4.1.${plain[hash]}`))))

const publicKeyFile = (key: KeyObject): Buffer => tagged(0x6f, key.export({ type: 'spki', format: 'der' }))

export interface CurveOptions {
  readonly curve?: string
  readonly hash?: Exclude<PlainHash, 'ripemd160'>
  /** Encoding of the two numbers of a signature. */
  readonly encoding?: 'ieee-p1363' | 'der'
  readonly explicit?: boolean
}

export function curveKey({ curve = 'P-256', hash = 'sha256', encoding = 'ieee-p1363', explicit = false }: CurveOptions = {}): ActiveKey {
  const paramEncoding = explicit ? 'explicit' : 'named'
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve, paramEncoding })
  return {
    dg15: publicKeyFile(publicKey),
    dg14: securityOptions(hash),
    answer: (challenge) => sign(hash, challenge, { key: privateKey, dsaEncoding: encoding }),
  }
}

const trailers = { sha1: [0xbc], sha224: [0x38, 0xcc], sha256: [0x34, 0xcc], sha384: [0x36, 0xcc], sha512: [0x35, 0xcc] } as const

export interface RsaOptions {
  readonly bits?: number
  readonly hash?: keyof typeof trailers
  /** Bytes of padding before the chip's random part; ICAO requires none. */
  readonly padding?: number
  /** Replaces the first byte of the scheme. */
  readonly first?: number
}

export function rsaKey({ bits = 1024, hash = 'sha1', padding = 0, first = 0x6a }: RsaOptions = {}): ActiveKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const head = padding === 0 ? [first] : [0x6b, ...Array.from({ length: padding - 1 }, () => 0xbb), 0xba]
  const trailer = trailers[hash]
  return {
    dg15: publicKeyFile(publicKey),
    answer(challenge) {
      const { length } = createHash(hash).digest()
      const chosen = randomBytes(bits / 8 - head.length - length - trailer.length)
      const digest = createHash(hash).update(chosen).update(challenge).digest()
      const message = Buffer.concat([Buffer.from(head), chosen, digest, Buffer.from(trailer)])
      return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, message)
    },
  }
}
