import { type KeyObject, verify } from 'node:crypto'
import type { Seal } from './barcode-content.ts'

/** Imported keys by the eight-character id of their certificate. */
export type SealKeys = ReadonlyMap<string, KeyObject>

/** unknown: the certificate is not imported or unsupported, so the seal is not judged. */
export type SealState = 'genuine' | 'forged' | 'unknown'

const hashes: Readonly<Record<string, string>> = { prime256v1: 'sha256', secp384r1: 'sha384', secp521r1: 'sha512' }

/** undefined for a key that cannot make seals */
export const hashOfCurve = (key: KeyObject): string | undefined => hashes[key.asymmetricKeyDetails?.namedCurve ?? '']

/** Verifies the seal of a barcode. @see ANTS 2D-Doc 3.1.3: ECDSA, hash by curve size */
export function verifySeal({ certificate, signed, signature }: Seal, keys: SealKeys): SealState {
  const key = keys.get(certificate)
  const hash = key && hashOfCurve(key)
  if (key === undefined || hash === undefined) return 'unknown'
  return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature) ? 'genuine' : 'forged'
}
