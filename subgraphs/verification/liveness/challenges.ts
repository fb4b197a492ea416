import { randomBytes, randomInt } from 'node:crypto'
import { takeChallengeLock } from '../../../engines/relational/advisory-locks.ts'
import type { Database, Queryable, Transaction } from '../../../engines/relational/database.ts'
import { and, desc, eq, isNull, sql } from '../../../engines/relational/drizzle.ts'
import { Fault, InvalidInput } from '../../../foundation/fault.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'
import { challengeSeconds, LivenessStep, type Step } from '../vocabulary.ts'
import { livenessChallenge } from './tables.ts'

export interface StartedChallenge {
  readonly nonce: string
  readonly steps: readonly Step[]
  readonly expiresAt: Date
}

/** A challenge used by a job. */
export interface UsedChallenge {
  readonly steps: readonly Step[]
  /** ms from its start to the submission, by the database clock */
  readonly elapsedMs: number
  readonly isLate: boolean
}

const stepCount = 3
/** steps that a flat picture cannot show: any three of the five different steps include one */
const everyStep: readonly Step[] = Object.values(LivenessStep)

/** Returns three different steps in random order: one of sixty sequences. */
function drawSteps(): Step[] {
  const remaining = [...everyStep]
  return Array.from({ length: stepCount }, () => remaining.splice(randomInt(remaining.length), 1)).flat()
}

/** limits retries, with which an attacker could wait for steps that an existing film shows */
const maxPerHour = 5

/**
 * @param owner - name of the key that may use it
 * @throws {EngineUnavailable}  @throws {Fault} RATE_LIMITED after five challenges for this citizen within an hour
 */
export async function startChallenge(database: Database, owner: string, citizenCode: string): Promise<StartedChallenge> {
  const nonce = randomBytes(24).toString('base64url')
  // one reading of one clock, so that both times differ by exactly the lifetime
  const issuedAt = sql`date_trunc('milliseconds', now())`
  const expiresAt = sql`${issuedAt} + make_interval(secs => ${challengeSeconds})`
  const row = { nonce, owner, citizenCode, steps: drawSteps(), issuedAt, expiresAt }
  return database.transaction(async (tx) => {
    await refuseMore(tx, owner, citizenCode)
    const [started] = await tx.insert(livenessChallenge).values(row).returning()
    if (started === undefined) throw new Error('a challenge was not returned')
    return started
  })
}

/** Refuses further challenges; concurrent calls wait for each other. */
async function refuseMore(tx: Transaction, owner: string, citizenCode: string): Promise<void> {
  await tx.execute(takeChallengeLock(JSON.stringify([owner, citizenCode])))
  const { issuedAt } = livenessChallenge
  const condition = and(eq(livenessChallenge.citizenCode, citizenCode), eq(livenessChallenge.owner, owner))
  const recent = await tx
    .select({ waitMs: sql<number>`(extract(epoch from ${issuedAt} + interval '1 hour' - now()) * 1000)::float8` })
    .from(livenessChallenge)
    .where(and(condition, sql`${issuedAt} > now() - interval '1 hour'`))
    .orderBy(desc(issuedAt))
    .limit(maxPerHour)
  const oldest = recent[maxPerHour - 1]
  if (oldest === undefined) return
  const message = `${maxPerHour} challenges were started for this citizen within an hour; try again later`
  throw new Fault('RATE_LIMITED', message, { retryAfterMs: Math.ceil(oldest.waitMs) })
}

export interface ChallengeUse {
  readonly nonce: string
  readonly owner: string
  readonly citizenCode: string
  readonly jobId: string
}

/**
 * Binds the challenge to a job in the transaction that accepts it: of two submissions with one nonce the second waits here and is refused.
 * A late one is bound too; the check finds that it was late.
 * @param path - of the nonce in the input
 * @throws {InvalidInput} `unknown` unless this owner started it for this citizen, `challenge_used` when another job has it
 */
export async function useChallenge(
  tx: Transaction,
  { nonce, owner, citizenCode, jobId }: ChallengeUse,
  path: Violation['path'],
): Promise<void> {
  const condition = and(
    eq(livenessChallenge.nonce, nonce),
    eq(livenessChallenge.owner, owner),
    eq(livenessChallenge.citizenCode, citizenCode),
  )
  // PostgreSQL text cannot contain U+0000, and a nonce never does
  if (!nonceForm.test(nonce)) throw unknownTo(path)
  const used = await tx
    .update(livenessChallenge)
    .set({ jobId, usedAt: sql`date_trunc('milliseconds', now())` })
    .where(and(condition, isNull(livenessChallenge.jobId)))
    .returning({ nonce: livenessChallenge.nonce })
  if (used.length > 0) return
  const [other] = await tx.select({ jobId: livenessChallenge.jobId }).from(livenessChallenge).where(condition)
  throw other === undefined
    ? unknownTo(path)
    : refusal({ code: 'challenge_used', path, message: 'This challenge was used for another job: start a new one' })
}

/** 24 bytes in base64url */
const nonceForm = /^[\w-]{32}$/
const refusal = (violation: Violation): InvalidInput => new InvalidInput(violation.message, [violation])
const unknownTo = (path: Violation['path']): InvalidInput =>
  refusal({ code: 'unknown', path, message: 'Unknown challenge for this caller and citizen: start a new one' })

/** Returns the challenge of a job; undefined without one. @throws {EngineUnavailable} */
export async function challengeOf({ orm }: { readonly orm: Queryable }, jobId: string): Promise<UsedChallenge | undefined> {
  const { steps, issuedAt, expiresAt, usedAt } = livenessChallenge
  const [used] = await orm
    .select({
      steps,
      elapsedMs: sql<number>`(extract(epoch from ${usedAt} - ${issuedAt}) * 1000)::float8`,
      isLate: sql<boolean>`${usedAt} > ${expiresAt}`,
    })
    .from(livenessChallenge)
    .where(eq(livenessChallenge.jobId, jobId))
  return used
}

/** Removes challenges that stayed unused for an hour after their expiry. */
export async function deleteUnusedChallenges({ orm }: Database): Promise<void> {
  await orm
    .delete(livenessChallenge)
    .where(and(isNull(livenessChallenge.jobId), sql`${livenessChallenge.expiresAt} < now() - interval '1 hour'`))
}
