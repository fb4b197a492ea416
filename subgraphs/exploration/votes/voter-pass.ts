import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { InvalidInput } from '../../../foundation/fault.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'

const idBytes = 16
/** seconds since 1970 */
const expiryBytes = 6
const sealBytes = 32
const sealAt = idBytes + expiryBytes

/** how long a vote can be changed with its pass */
export const passLifetimeMs = 24 * 3_600_000

/** The scope of a pass. */
export interface PassScope {
  readonly expressionId: string
  /** the client's address; for IPv6 its /64 */
  readonly network: string
}

export interface VoterPass {
  /** as the client stores it */
  readonly text: string
  /** random number in hex that identifies the voter */
  readonly id: string
  readonly expiresAt: Date
}

/** Issues a pass: a random number and its expiry, authenticated with HMAC-SHA-256 together with the scope. It identifies no person. */
export function issuePass(scope: PassScope, key: Uint8Array, now: number): VoterPass {
  const content = Buffer.alloc(sealAt)
  randomBytes(idBytes).copy(content)
  content.writeUIntBE(Math.floor((now + passLifetimeMs) / 1000), idBytes, expiryBytes)
  return passOf(Buffer.concat([content, sealOf(content, scope, key)]))
}

/** Verifies a pass for this scope. @throws {InvalidInput} for any other pass, and for an expired one */
export function readPass(text: string, scope: PassScope, key: Uint8Array, now: number, member = 'voterToken'): VoterPass {
  const bytes = Buffer.from(text, 'base64url')
  const isWhole = bytes.length === sealAt + sealBytes && bytes.toString('base64url') === text
  if (!isWhole || !timingSafeEqual(bytes.subarray(sealAt), sealOf(bytes.subarray(0, sealAt), scope, key)))
    throw refused(member, 'wrong_token', 'is not valid for this expression from this network')
  const pass = passOf(bytes)
  if (pass.expiresAt.getTime() <= now) throw refused(member, 'expired', 'has expired; the vote cannot be changed any more')
  return pass
}

const refused = (member: string, code: Violation['code'], why: string): InvalidInput =>
  new InvalidInput(`\`${member}\` ${why}`, [{ code, path: [member], message: why }])

const passOf = (bytes: Buffer): VoterPass => ({
  text: bytes.toString('base64url'),
  id: bytes.subarray(0, idBytes).toString('hex'),
  expiresAt: new Date(bytes.readUIntBE(idBytes, expiryBytes) * 1000),
})

const sealOf = (content: Uint8Array, { expressionId, network }: PassScope, key: Uint8Array): Buffer =>
  createHmac('sha256', key)
    .update(`voter pass\n${JSON.stringify([expressionId, network])}\n`)
    .update(content)
    .digest()
