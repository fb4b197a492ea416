import { createHash } from 'node:crypto'

/**
 * 24 bits that tell one version of an expression from another. The sum over a range is exact in a double up to half a billion rows.
 * The analytics store makes the same number in SQL (`expression.fingerprint`).
 */
export const fingerprintOf = (id: string, version: number): number =>
  Number.parseInt(createHash('md5').update(`${id}:${version}`).digest('hex').slice(0, 6), 16)
