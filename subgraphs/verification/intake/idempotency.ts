import { createHmac } from 'node:crypto'
import type { Transaction } from '../../../engines/relational/database.ts'
import { and, eq, sql } from '../../../engines/relational/drizzle.ts'
import { EngineUnavailable, InvalidInput } from '../../../foundation/fault.ts'
import type { NewJob } from '../submission/submission.ts'
import { encodeSubmission } from '../submission/submission-record.ts'
import { verificationSubmission } from '../tables.ts'

/** An Idempotency-Key of a caller and its content. */
export interface KeyedSubmission {
  readonly owner: string
  readonly key: string
  /** HMACs of the content, newest first, one per key, because the key changes with VAULT_KEY */
  readonly fingerprints: readonly string[]
  readonly batchId: string | null
  readonly jobIds: readonly string[]
}

const retentionHours = 24
const path = ['idempotencyKey'] as const

/** @throws {InvalidInput} unless it is 1 to 255 printable ASCII characters */
export function checkIdempotencyKey(key: string): void {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return
  const message = 'The Idempotency-Key must be 1 to 255 printable ASCII characters'
  throw new InvalidInput(message, [{ code: 'wrong_pattern', path, message }])
}

/** @param isBatch - distinguishes a batch of one job from a job  @param keys - 32 bytes each */
export function fingerprintsOf(jobs: readonly NewJob[], isBatch: boolean, keys: readonly Uint8Array[]): readonly string[] {
  return keys.map((key) => {
    const hmac = createHmac('sha256', key).update(isBatch ? 'batch' : 'job')
    for (const { submission, ...job } of jobs) {
      hmac.update(JSON.stringify(Object.entries(job).sort(([one], [other]) => (one < other ? -1 : 1))))
      for (const part of encodeSubmission(submission)) hmac.update(part)
    }
    return hmac.digest('base64url')
  })
}

/**
 * Records the use of the key in the submission's transaction. Of concurrent equal requests the first proceeds; the others wait for its
 * commit.
 * @returns the jobs of a use within 24 hours, without erased ones; undefined for the first use
 * @throws {InvalidInput} idempotency_mismatch when the content differs
 */
export async function rememberKey(
  tx: Transaction,
  { owner, key, fingerprints, batchId, jobIds }: KeyedSubmission,
): Promise<{ readonly batchId: string | null; readonly jobIds: readonly string[] } | undefined> {
  const [fingerprint = ''] = fingerprints
  const use = { fingerprint, batchId, jobIds: [...jobIds], createdAt: sql`now()` }
  const first = await tx
    .insert(verificationSubmission)
    .values({ owner, key, ...use })
    .onConflictDoUpdate({
      target: [verificationSubmission.owner, verificationSubmission.key],
      set: use,
      setWhere: sql`${verificationSubmission.createdAt} < now() - make_interval(hours => ${retentionHours})`,
    })
    .returning({ key: verificationSubmission.key })
  if (first.length > 0) return undefined
  const [earlier] = await tx
    .select()
    .from(verificationSubmission)
    .where(and(eq(verificationSubmission.owner, owner), eq(verificationSubmission.key, key)))
  // erased between the two statements
  if (earlier === undefined) throw new EngineUnavailable('database')
  if (fingerprints.includes(earlier.fingerprint)) return earlier
  const message = 'This Idempotency-Key was used with other content'
  throw new InvalidInput(message, [{ code: 'idempotency_mismatch', path, message }])
}

/** Removes ids of erased jobs. A key without other jobs becomes unused; a batch's key stays for the others. */
export async function deleteErasedFromKeys(tx: Transaction, erased: readonly string[]): Promise<void> {
  const { jobIds } = verificationSubmission
  const ids = sql`${sql.param([...erased])}::text[]`
  const remaining = sql`array(select id from unnest(${jobIds}) with ordinality as each (id, place) where id <> all (${ids}) order by place)`
  await tx.delete(verificationSubmission).where(sql`${jobIds} && ${ids} and ${jobIds} <@ ${ids}`)
  await tx.update(verificationSubmission).set({ jobIds: remaining }).where(sql`${jobIds} && ${ids}`)
}

export async function deleteOldKeys(tx: Pick<Transaction, 'delete'>): Promise<void> {
  await tx
    .delete(verificationSubmission)
    .where(sql`${verificationSubmission.createdAt} < now() - make_interval(hours => ${retentionHours})`)
}
