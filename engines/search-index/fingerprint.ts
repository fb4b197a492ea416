import { createHash } from 'node:crypto'

/**
 * Returns a 24-bit fingerprint of a version of an expression. Sums over a range are exact in a double up to half a billion rows. The analytics store
 * computes the same number in SQL (`expression.fingerprint`).
 */
export const fingerprintOf = (id: string, version: number): number =>
  Number.parseInt(createHash('md5').update(`${id}:${version}`).digest('hex').slice(0, 6), 16)
