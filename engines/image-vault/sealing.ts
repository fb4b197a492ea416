import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keyIdOf } from '../../foundation/key-id.ts'

/**
 * Envelope encryption: each record has a data key, wrapped by the vault key, so that a new vault key rewraps 60 bytes per record instead of
 * encrypting every image again.
 */
export interface SealedRecord {
  /** identifies the vault key: the first 16 hex digits of its SHA-256 */
  readonly keyId: string
  readonly wrappedKey: Buffer
  readonly sealed: Buffer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** As `SealedRecord`, with the encrypted content in consecutive parts. */
export interface SealedParts extends Pick<SealedRecord, 'keyId' | 'wrappedKey'> {
  readonly sealed: readonly Buffer[]
}

/**
 * Encrypts content with a new data key.
 * @param key - 32 bytes
 * @param content - in parts, encrypted as one
 * @param about - authenticated with the content, so that records cannot be swapped
 */
export function sealParts(key: Uint8Array, content: readonly Uint8Array[], about: string): SealedParts {
  const dataKey = randomBytes(32)
  return { ...wrapped(key, dataKey, about), sealed: encryptParts(dataKey, content, about) }
}

/** `sealParts` with a single part. */
export function sealRecord(key: Uint8Array, content: Uint8Array, about: string): SealedRecord {
  const dataKey = randomBytes(32)
  return { ...wrapped(key, dataKey, about), sealed: encrypt(dataKey, content, about) }
}

/** @throws {Error} if it was modified */
export function openRecord(key: Uint8Array, { wrappedKey, sealed }: SealedRecord, about: string): Uint8Array {
  return decrypt(decrypt(key, wrappedKey, `key of ${about}`), sealed, about)
}

/** Wraps the data key with another vault key; the content is unchanged. @throws {Error} if the wrapped key was modified */
export function rewrapped(from: Uint8Array, to: Uint8Array, wrappedKey: Buffer, about: string): Pick<SealedRecord, 'keyId' | 'wrappedKey'> {
  const dataKey = decrypt(from, wrappedKey, `key of ${about}`)
  return wrapped(to, dataKey, about)
}

const wrapped = (key: Uint8Array, dataKey: Uint8Array, about: string): Pick<SealedRecord, 'keyId' | 'wrappedKey'> => ({
  keyId: keyIdOf(key),
  wrappedKey: encrypt(key, dataKey, `key of ${about}`),
})

/**
 * Returns nonce, ciphertext, tag. A data key encrypts once; a vault key wraps one data key per record, far below the 2^32 messages with random nonces
 * that NIST SP 800-38D section 8.3 allows.
 */
function encryptParts(key: Uint8Array, plain: readonly Uint8Array[], about: string): readonly Buffer[] {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(about))
  return [nonce, ...plain.map((part) => cipher.update(part)), cipher.final(), cipher.getAuthTag()]
}

const encrypt = (key: Uint8Array, plain: Uint8Array, about: string): Buffer => Buffer.concat(encryptParts(key, [plain], about))

function decrypt(key: Uint8Array, box: Buffer, about: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, box.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(about)).setAuthTag(box.subarray(-tagBytes))
  return Buffer.concat([decipher.update(box.subarray(nonceBytes, -tagBytes)), decipher.final()])
}
