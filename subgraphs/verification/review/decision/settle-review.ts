import { verificationTopic } from '../../../../engines/citizen-data/citizen-outcomes.ts'
import type { EventFeed } from '../../../../engines/event-feed/event-feed.ts'
import type { ImageVault } from '../../../../engines/image-vault/image-vault.ts'
import type { VaultKeys } from '../../../../engines/image-vault/vault-keys.ts'
import type { Database, Transaction } from '../../../../engines/relational/database.ts'
import { and, asc, eq, lte, sql } from '../../../../engines/relational/drizzle.ts'
import { NotFound } from '../../../../foundation/fault.ts'
import { decodeResult, encodeResult, type ReviewedResult } from '../../assessment/result.ts'
import { scheduleCallback } from '../../callbacks/schedule-callback.ts'
import { settleTemplate, unshownDuplicates } from '../../duplicates/stored-templates.ts'
import { type JobRow, type ReviewDecisionRow, verificationJob, verificationReview, verificationReviewDecision } from '../../tables.ts'
import { unclaimed } from '../review-claims.ts'
import { findReview, type ReviewedJob } from '../review-queue.ts'
import { storeCase } from './decided-case.ts'
import { notesOf, type ReviewNotes, storeNotes } from './review-notes.ts'

export interface SettleDependencies {
  readonly database: Database
  readonly vault: ImageVault
  readonly feed: EventFeed
  /** DEDUPLICATION_KEY and earlier keys; undefined when the search is off */
  readonly templateKeys: VaultKeys | undefined
}

/** Sealed records of a job under review. */
export interface ReviewMaterial {
  /** undefined when the images were erased */
  readonly result: ReviewedResult | undefined
  readonly notes: ReviewNotes
}

interface CompletedJob {
  readonly job: JobRow
  readonly position: number
}

/** decisions that one round completes */
const pageSize = 100

/**
 * Makes settled decisions final, each in one transaction: the outcome as a new completion with event and callback, erasure of the images, and
 * figures.
 */
export class SettleReview {
  readonly #parts: SettleDependencies

  constructor(parts: SettleDependencies) {
    this.#parts = parts
  }

  async material(jobId: string, signal: AbortSignal): Promise<ReviewMaterial> {
    const { vault } = this.#parts
    const [records, notes] = await Promise.all([vault.open([jobId], 'review', signal), notesOf(vault, jobId, signal)])
    const record = records.get(jobId)
    return { result: record && decodeResult(record), notes }
  }

  /** Replaces the notes of a job. */
  storeNotes(tx: Transaction, jobId: string, notes: ReviewNotes): Promise<void> {
    return storeNotes(tx, this.#parts.vault, jobId, notes)
  }

  announce(position: number | undefined): void {
    if (position !== undefined) this.#parts.feed.announce(verificationTopic, position)
  }

  /**
   * Completes the decisions whose hold has ended. A job whose face was verified under another code meanwhile waits again, without decisions.
   * @returns the number of completed jobs
   */
  async completeDue(signal: AbortSignal): Promise<number> {
    const { database } = this.#parts
    const { jobId, state, heldUntil } = verificationReview
    const isDue = and(eq(state, 'held'), lte(heldUntil, sql`now()`))
    const due = await database.orm.select({ jobId }).from(verificationReview).where(isDue).orderBy(asc(heldUntil)).limit(pageSize)
    let completed = 0
    for (const { jobId: id } of due) {
      if (signal.aborted) break
      const material = await this.material(id, signal)
      const outcome = await database.transaction(async (tx) => {
        const current = await lockReviewIfAny(tx, id)
        // a reviewer, another worker or an erasure may have been faster
        const isStillDue = (await tx.$count(verificationReview, and(eq(jobId, id), isDue))) === 1
        return current !== undefined && isStillDue ? this.complete(tx, current, material) : undefined
      })
      if (outcome === undefined || outcome === 'overtaken') continue
      this.announce(outcome.position)
      completed += 1
    }
    return completed
  }

  /** Writes the settled decision as a new completion of the locked job. @returns `overtaken`: the job waits again, without decisions */
  async complete(tx: Transaction, current: ReviewedJob, { result }: ReviewMaterial): Promise<CompletedJob | 'overtaken'> {
    const jobId = current.job.id
    const { decision, reason } = settled(await decisionsOf(tx, jobId))
    if (result === undefined) throw new NotFound('The images of this job were deleted')
    if (decision === 'verified' && (await this.isOvertaken(tx, current, result))) {
      await tx.delete(verificationReviewDecision).where(eq(verificationReviewDecision.jobId, jobId))
      await this.#parts.vault.erase(tx, [jobId], 'notes')
      await tx.update(verificationReview).set({ state: 'waiting', heldUntil: null }).where(eq(verificationReview.jobId, jobId))
      return 'overtaken'
    }
    if (decision !== 'better_photographs') await storeCase(tx, jobId, { decision, reason }, result)
    return this.#write(tx, jobId, { decision, reason }, result)
  }

  /** Returns whether the same face was verified under another code meanwhile, and adds it to the possible duplicates. */
  async isOvertaken(tx: Transaction, { job: { id: jobId }, review }: ReviewedJob, result: ReviewedResult): Promise<boolean> {
    const { templateKeys, vault } = this.#parts
    const { duplicates = [], searched } = result
    if (templateKeys === undefined || searched === undefined) return false
    const faces = await unshownDuplicates(tx, templateKeys, jobId, searched, duplicates)
    if (faces.length === 0) return false
    const reasons = [...new Set([...review.reasons, 'possible_duplicate'])]
    await tx.update(verificationReview).set({ reasons }).where(eq(verificationReview.jobId, jobId))
    await vault.erase(tx, [jobId], 'review')
    await vault.seal(tx, [{ jobId, record: 'review', content: [encodeResult({ ...result, duplicates: [...duplicates, ...faces] })] }])
    return true
  }

  async #write(
    tx: Transaction,
    jobId: string,
    { decision, reason }: Pick<ReviewDecisionRow, 'decision' | 'reason'>,
    { duplicates: _, searched: __, read: ___, faces: ____, ...assessed }: ReviewedResult,
  ): Promise<CompletedJob> {
    const { vault, feed } = this.#parts
    await tx
      .update(verificationReview)
      .set({ ...unclaimed, state: 'decided', heldUntil: null, reasons: [] })
      .where(eq(verificationReview.jobId, jobId))
    // a request for photographs leaves the outcome to the client, with that request as the first reason
    const isRequest = decision === 'better_photographs'
    const outcome = decision === 'better_photographs' ? ('pending_review' as const) : decision
    const { crossValidations } = assessed
    const reasons = [...(isRequest ? (['better_photographs'] as const) : []), ...(crossValidations?.reasons ?? [])]
    const [job] = await tx
      .update(verificationJob)
      .set({
        outcome,
        reasons,
        completedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
        acknowledgedAt: null,
        fetchedAt: null,
      })
      .where(eq(verificationJob.id, jobId))
      .returning()
    if (job === undefined) throw new NotFound('Review not found')
    await settleTemplate(tx, jobId, decision === 'verified')
    for (const record of ['submission', 'review', 'result'] as const) await vault.erase(tx, [jobId], record)
    const result = { ...assessed, outcome, crossValidations: crossValidations && { ...crossValidations, reasons }, review: { reason } }
    await vault.seal(tx, [{ jobId, record: 'result', content: [encodeResult(result)] }])
    await scheduleCallback(tx, job)
    return { job, position: await feed.append(tx, verificationTopic, [{ kind: job.status, id: jobId }]) }
  }
}

/** Returns the decision that settles a job: the last one, which with two reviewers agrees with an earlier one. */
function settled(decisions: readonly ReviewDecisionRow[]): ReviewDecisionRow {
  const last = decisions.at(-1)
  if (last === undefined) throw new Error('a settled job has no decision')
  return last
}

/** Locks the job first, like every change or erasure of it, to avoid a deadlock. @throws {NotFound} after erasure */
export async function lockReview(tx: Transaction, jobId: string): Promise<ReviewedJob> {
  const current = await lockReviewIfAny(tx, jobId)
  if (current === undefined) throw new NotFound('Review not found')
  return current
}

async function lockReviewIfAny(tx: Transaction, jobId: string): Promise<ReviewedJob | undefined> {
  await tx.select({ id: verificationJob.id }).from(verificationJob).where(eq(verificationJob.id, jobId)).for('update')
  await tx.select({ jobId: verificationReview.jobId }).from(verificationReview).where(eq(verificationReview.jobId, jobId)).for('update')
  return findReview({ orm: tx }, jobId)
}

export const decisionsOf = (tx: Transaction, jobId: string): Promise<ReviewDecisionRow[]> =>
  tx
    .select()
    .from(verificationReviewDecision)
    .where(eq(verificationReviewDecision.jobId, jobId))
    .orderBy(asc(verificationReviewDecision.number))
