import { randomBytes } from 'node:crypto'
import type { Database, Queryable, Transaction } from '../../../engines/relational/database.ts'
import { and, eq, isNull, sql } from '../../../engines/relational/drizzle.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'
import { chipChallenge } from './tables.ts'

/** A challenge for a chip and its nonce. */
export interface StartedChipChallenge {
  readonly nonce: string
  /** 8 bytes, RND.IFD of ICAO Doc 9303-11, 6.1 */
  readonly bytes: Uint8Array
  readonly expiresAt: Date
}

/** lifetime: reading a chip takes half a minute, and the photographs are captured in between */
export const chipChallengeSeconds = 600

/** @param owner - name of the key that may use it  @throws {EngineUnavailable} */
export async function startChipChallenge({ orm }: Database, owner: string, citizenCode: string): Promise<StartedChipChallenge> {
  const issuedAt = sql`date_trunc('milliseconds', now())`
  const expiresAt = sql`${issuedAt} + make_interval(secs => ${chipChallengeSeconds})`
  const row = { nonce: randomBytes(24).toString('base64url'), owner, citizenCode, bytes: randomBytes(8), issuedAt, expiresAt }
  const [started] = await orm.insert(chipChallenge).values(row).returning()
  if (started === undefined) throw new Error('a challenge was not returned')
  return started
}

export interface ChipChallengeUse {
  readonly nonce: string
  readonly owner: string
  readonly citizenCode: string
  readonly jobId: string
}

/**
 * Binds the challenge to a job in the transaction that accepts it: of two submissions with one nonce the second waits here and is refused.
 * @param path - path of the nonce in the input
 * @throws {InvalidInput} `unknown` unless this owner started it for this citizen, `challenge_used` when another job has it,
 * `challenge_expired`
 */
export async function useChipChallenge(
  tx: Transaction,
  { nonce, owner, citizenCode, jobId }: ChipChallengeUse,
  path: Violation['path'],
): Promise<void> {
  // PostgreSQL text cannot contain U+0000, and a nonce never does
  if (!nonceForm.test(nonce)) throw unknownTo(path)
  const condition = and(eq(chipChallenge.nonce, nonce), eq(chipChallenge.owner, owner), eq(chipChallenge.citizenCode, citizenCode))
  const used = await tx
    .update(chipChallenge)
    .set({ jobId })
    .where(and(condition, isNull(chipChallenge.jobId), sql`${chipChallenge.expiresAt} >= now()`))
    .returning({ nonce: chipChallenge.nonce })
  if (used.length > 0) return
  const [other] = await tx.select({ jobId: chipChallenge.jobId }).from(chipChallenge).where(condition)
  if (other === undefined) throw unknownTo(path)
  throw other.jobId === null
    ? refusal({ code: 'challenge_expired', path, message: 'This challenge has expired; start another one and let the chip sign it' })
    : refusal({ code: 'challenge_used', path, message: 'This challenge was used for another job: start a new one' })
}

/** 24 bytes in base64url */
const nonceForm = /^[\w-]{32}$/
const refusal = (violation: Violation): InvalidInput => new InvalidInput(violation.message, [violation])
const unknownTo = (path: Violation['path']): InvalidInput =>
  refusal({ code: 'unknown', path, message: 'Unknown challenge for this caller and citizen: start a new one' })

/** Returns the bytes that the chip of a job had to sign; undefined without a challenge. @throws {EngineUnavailable} */
export async function chipChallengeOf({ orm }: { readonly orm: Queryable }, jobId: string): Promise<Uint8Array | undefined> {
  const [used] = await orm.select({ bytes: chipChallenge.bytes }).from(chipChallenge).where(eq(chipChallenge.jobId, jobId))
  return used?.bytes
}

/** Removes challenges that stayed unused for an hour after their expiry. */
export async function deleteUnusedChipChallenges({ orm }: Database): Promise<void> {
  await orm.delete(chipChallenge).where(and(isNull(chipChallenge.jobId), sql`${chipChallenge.expiresAt} < now() - interval '1 hour'`))
}
