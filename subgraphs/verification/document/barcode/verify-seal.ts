import { type KeyObject, verify } from 'node:crypto'
import type { Seal } from './barcode-content.ts'

/** The keys of the certificates that an operator has imported, by the eight characters that a seal names its certificate with. */
export type SealKeys = ReadonlyMap<string, KeyObject>

/** unknown: nobody has imported its certificate, or one of another kind; then nothing is said about the seal. */
export type SealState = 'genuine' | 'forged' | 'unknown'

const hashes: Readonly<Record<string, string>> = { prime256v1: 'sha256', secp384r1: 'sha384', secp521r1: 'sha512' }

/** undefined for a key that seals are not made with */
export const hashOfCurve = (key: KeyObject): string | undefined => hashes[key.asymmetricKeyDetails?.namedCurve ?? '']

/** Whether a barcode was sealed by the key of its certificate. @see ANTS 2D-Doc 3.1.3: ECDSA, the hash by the size of the curve */
export function verifySeal({ certificate, signed, signature }: Seal, keys: SealKeys): SealState {
  const key = keys.get(certificate)
  const hash = key && hashOfCurve(key)
  if (key === undefined || hash === undefined) return 'unknown'
  return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature) ? 'genuine' : 'forged'
}
