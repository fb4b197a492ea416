import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { InvalidInput } from '../../foundation/fault.ts'
import { invalid } from '../../foundation/validation/violation.ts'

const idBytes = 16
const sealBytes = 32

/**
 * What a browser votes with when nobody has signed in: a random number with a seal (HMAC-SHA-256), which names nobody. It shows that votes are of
 * one browser; whoever asks for several has several.
 */
export function newVoterPass(key: Uint8Array): string {
  const id = randomBytes(idBytes)
  return Buffer.concat([id, sealOf(id, key)]).toString('base64url')
}

/** The number of a pass in hex. @throws {InvalidInput} for one that was not made here */
export function idOfPass(pass: string, key: Uint8Array): string {
  const bytes = Buffer.from(pass, 'base64url')
  const id = bytes.subarray(0, idBytes)
  const isWhole = bytes.length === idBytes + sealBytes && bytes.toString('base64url') === pass
  if (isWhole && timingSafeEqual(bytes.subarray(idBytes), sealOf(id, key))) return id.toString('hex')
  throw new InvalidInput('`pass` is none that was given here; vote without one to get another', [
    invalid(['pass'], 'none that was given here'),
  ])
}

const sealOf = (id: Uint8Array, key: Uint8Array): Buffer => createHmac('sha256', key).update('voter pass\n').update(id).digest()
