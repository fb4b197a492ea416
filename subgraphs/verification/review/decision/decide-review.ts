import type { EventFeed } from '../../../../engines/event-feed/event-feed.ts'
import type { ImageVault } from '../../../../engines/image-vault/image-vault.ts'
import type { VaultKeys } from '../../../../engines/image-vault/vault-keys.ts'
import type { Database, Transaction } from '../../../../engines/relational/database.ts'
import { asc, eq, sql } from '../../../../engines/relational/drizzle.ts'
import { Fault, NotFound } from '../../../../foundation/fault.ts'
import type { RequestContext } from '../../../../foundation/graphql/request-context.ts'
import type { AuditedAccess } from '../../access/audited-access.ts'
import { decodeResult, encodeResult, type ReviewedResult } from '../../assessment/result.ts'
import { scheduleCallback } from '../../callbacks/schedule-callback.ts'
import { settleTemplate, unshownDuplicates } from '../../duplicates/stored-templates.ts'
import { type JobRow, type ReviewDecisionRow, verificationJob, verificationReview, verificationReviewDecision } from '../../tables.ts'
import type { ReviewDecision, ReviewReason } from '../../vocabulary.ts'
import { claimMissing, holds, unclaimed } from '../review-claims.ts'
import { findReview, type ReviewedJob } from '../review-queue.ts'
import { type Reviewer, refuseOwn, reviewerOf } from '../reviewer.ts'
import { storeCase } from './decided-case.ts'
import { addNote, notesOf, type ReviewNotes } from './review-notes.ts'

export interface NewDecision {
  readonly jobId: string
  readonly decision: ReviewDecision
  readonly reason: ReviewReason
  readonly note: string | null
}

export interface DecideDependencies {
  readonly database: Database
  readonly vault: ImageVault
  readonly feed: EventFeed
  readonly accounting: AuditedAccess
  /** two reviewers must make the same decision */
  readonly fourEyes: boolean
  /** DEDUPLICATION_KEY and earlier keys; undefined when the search is off */
  readonly templateKeys: VaultKeys | undefined
}

/** Result of a decision: the final job, or a job that waits for a second reviewer. */
export interface Decided {
  readonly job: JobRow
  readonly isSettled: boolean
}

/**
 * Applies a reviewer's decision. The final one is written in one transaction: the outcome as a new completion with event and callback,
 * erasure of the images, figures and audit record.
 */
export class DecideReview {
  readonly #parts: DecideDependencies

  constructor(parts: DecideDependencies) {
    this.#parts = parts
  }

  /**
   * Repeating a decision changes nothing. Verifying a citizen whose face was verified under another code since the search is refused once:
   * the other code is then listed as a possible duplicate.
   * @throws {NotFound} @throws {Forbidden} for the reviewer's own job @throws {Fault} CONFLICT without a valid claim, after another
   * decision of the same reviewer, or because of such a face
   */
  async decide(context: RequestContext, request: NewDecision): Promise<Decided> {
    const { database, vault, feed } = this.#parts
    const reviewer = reviewerOf(context.principal)
    if ((await findReview(database, request.jobId)) === undefined) throw new NotFound('Review not found')
    // only the holder of the claim changes these, and the claim is checked again in the transaction
    const [records, notes] = await Promise.all([
      vault.open([request.jobId], 'review', context.signal),
      notesOf(vault, request.jobId, context.signal),
    ])
    const record = records.get(request.jobId)
    const taken = await database.transaction(
      (tx) => this.#take(tx, context, reviewer, request, record && decodeResult(record), notes),
      context.deadline,
    )
    if (taken === 'overtaken') throw new Fault('CONFLICT', overtaken)
    if (taken.position !== undefined) feed.announce('verification', taken.position)
    return taken.decided
  }

  async #take(
    tx: Transaction,
    context: RequestContext,
    reviewer: Reviewer,
    request: NewDecision,
    result: ReviewedResult | undefined,
    notes: ReviewNotes,
  ): Promise<{ readonly decided: Decided; readonly position?: number } | 'overtaken'> {
    const { accounting, vault, fourEyes } = this.#parts
    const { jobId, decision, reason, note } = request
    const current = await lockReview(tx, jobId)
    const before = await decisionsOf(tx, jobId)
    const own = before.find(({ issuer, subject }) => issuer === reviewer.issuer && subject === reviewer.subject)
    if (own !== undefined && own.decision !== decision)
      throw new Fault('CONFLICT', 'You have already made a different decision on this job')
    if (own !== undefined) return { decided: { job: current.job, isSettled: current.review.state === 'decided' } }
    refuseOwn(reviewer, current.job)
    if (!holds(reviewer, current) || result === undefined) throw claimMissing()

    if (decision === 'verified' && (await this.#isOvertaken(tx, current, result))) return 'overtaken'

    const number = (before.at(-1)?.number ?? 0) + 1
    const { issuer, subject } = reviewer
    await tx.insert(verificationReviewDecision).values({ jobId, number, issuer, subject, decision, reason })
    if (note !== null) await addNote(tx, vault, jobId, { ...notes, [number]: note })
    await accounting.review(context, 'decide', jobId, { decision, reason }, tx)
    const isSettled = !fourEyes || before.some((other) => other.decision === decision)
    if (!isSettled) {
      await tx.update(verificationReview).set(unclaimed).where(eq(verificationReview.jobId, jobId))
      return { decided: { job: current.job, isSettled } }
    }
    await storeCase(tx, jobId, request, result)
    const { job, position } = await this.#complete(tx, request, result)
    return { decided: { job, isSettled }, position }
  }

  /** Returns whether the same face was verified under another code meanwhile, and adds it to the possible duplicates. */
  async #isOvertaken(tx: Transaction, { job: { id: jobId }, review }: ReviewedJob, result: ReviewedResult): Promise<boolean> {
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

  /** Writes the decision as a new completion of the job. */
  async #complete(tx: Transaction, { jobId, decision, reason }: NewDecision, { duplicates: _, searched: __, ...result }: ReviewedResult) {
    const { vault, feed } = this.#parts
    await tx
      .update(verificationReview)
      .set({ ...unclaimed, state: 'decided', reasons: [] })
      .where(eq(verificationReview.jobId, jobId))
    const [job] = await tx
      .update(verificationJob)
      .set({ outcome: decision, completedAt: sql`date_trunc('milliseconds', clock_timestamp())`, acknowledgedAt: null })
      .where(eq(verificationJob.id, jobId))
      .returning()
    if (job === undefined) throw new NotFound('Review not found')
    await settleTemplate(tx, jobId, decision === 'verified')
    for (const record of ['submission', 'review', 'result'] as const) await vault.erase(tx, [jobId], record)
    await vault.seal(tx, [{ jobId, record: 'result', content: [encodeResult({ ...result, outcome: decision, review: { reason } })] }])
    await scheduleCallback(tx, job)
    return { job, position: await feed.append(tx, 'verification', [{ kind: job.status, id: jobId }]) }
  }
}

const overtaken = 'The same face was verified under another code meanwhile; check the possible duplicates and decide again'

/** Locks the job first, like every change or erasure of it, to avoid a deadlock. */
async function lockReview(tx: Transaction, jobId: string): Promise<ReviewedJob> {
  await tx.select({ id: verificationJob.id }).from(verificationJob).where(eq(verificationJob.id, jobId)).for('update')
  await tx.select({ jobId: verificationReview.jobId }).from(verificationReview).where(eq(verificationReview.jobId, jobId)).for('update')
  const current = await findReview({ orm: tx }, jobId)
  if (current === undefined) throw new NotFound('Review not found')
  return current
}

const decisionsOf = (tx: Transaction, jobId: string): Promise<ReviewDecisionRow[]> =>
  tx
    .select()
    .from(verificationReviewDecision)
    .where(eq(verificationReviewDecision.jobId, jobId))
    .orderBy(asc(verificationReviewDecision.number))
