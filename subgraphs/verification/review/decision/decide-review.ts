import type { Database, Transaction } from '../../../../engines/relational/database.ts'
import { and, eq, sql } from '../../../../engines/relational/drizzle.ts'
import { Fault, NotFound } from '../../../../foundation/fault.ts'
import type { RequestContext } from '../../../../foundation/graphql/request-context.ts'
import type { AuditedAccess } from '../../access/audited-access.ts'
import { type JobRow, type ReviewDecisionRow, verificationReview, verificationReviewDecision } from '../../tables.ts'
import type { ReviewDecision, ReviewReason } from '../../vocabulary.ts'
import { claimMissing, claimSeconds, holds, unclaimed } from '../review-claims.ts'
import { findReview, type ReviewedJob } from '../review-queue.ts'
import { type Reviewer, refuseOwn, reviewerOf } from '../reviewer.ts'
import { decisionsOf, lockReview, type ReviewMaterial, type SettleReview } from './settle-review.ts'

export interface NewDecision {
  readonly jobId: string
  readonly decision: ReviewDecision
  readonly reason: ReviewReason
  readonly note: string | null
}

export interface DecideDependencies {
  readonly database: Database
  readonly auditedAccess: AuditedAccess
  readonly settle: SettleReview
  /** two reviewers must make the same decision */
  readonly fourEyes: boolean
  /** REVIEW_UNDO_MINUTES; 0: decisions are final at once */
  readonly undoMinutes: number
}

/** Result of a decision: the final job, a held one, or a job that waits for a second reviewer. */
export interface DecisionResult {
  readonly job: JobRow
  /** whether no further reviewer is needed */
  readonly isSettled: boolean
  /** time until which the decision can be undone; null when it is final or not settled */
  readonly heldUntil: Date | null
}

/** Takes reviewers' decisions. A settled one is held until it can no longer be undone; then `SettleReview` makes it final. */
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
  async decide(context: RequestContext, request: NewDecision): Promise<DecisionResult> {
    const { database, settle } = this.#parts
    const reviewer = reviewerOf(context.principal)
    if ((await findReview(database, request.jobId)) === undefined) throw new NotFound('Review not found')
    // only the holder of the claim changes these, and the claim is checked again in the transaction
    const material = await settle.material(request.jobId, context.signal)
    const taken = await database.transaction((tx) => this.#take(tx, context, reviewer, request, material), context.deadline)
    if (taken === 'overtaken') throw new Fault('CONFLICT', overtaken)
    settle.announce(taken.position)
    return taken.decided
  }

  /**
   * Makes the caller's held decision final now.
   * @throws {NotFound} @throws {Fault} CONFLICT unless the caller's decision is held, or because of a face that was verified meanwhile
   */
  async send(context: RequestContext, jobId: string): Promise<JobRow> {
    const { database, settle, auditedAccess } = this.#parts
    const reviewer = reviewerOf(context.principal)
    if ((await findReview(database, jobId)) === undefined) throw new NotFound('Review not found')
    const material = await settle.material(jobId, context.signal)
    const sent = await database.transaction(async (tx) => {
      const current = await lockReview(tx, jobId)
      ownHeld(reviewer, current, await decisionsOf(tx, jobId))
      await auditedAccess.review(context, 'send', jobId, {}, tx)
      return settle.complete(tx, current, material)
    }, context.deadline)
    if (sent === 'overtaken') throw new Fault('CONFLICT', overtaken)
    settle.announce(sent.position)
    return sent.job
  }

  /**
   * Withdraws the caller's held decision: the job waits again, claimed by the caller.
   * @returns also the note of the decision, so that it is not lost
   * @throws {NotFound} @throws {Fault} CONFLICT unless the caller's decision is held
   */
  async undo(context: RequestContext, jobId: string): Promise<{ readonly review: ReviewedJob; readonly note: string | null }> {
    const { database, auditedAccess, settle } = this.#parts
    const reviewer = reviewerOf(context.principal)
    if ((await findReview(database, jobId)) === undefined) throw new NotFound('Review not found')
    const { notes } = await settle.material(jobId, context.signal)
    return database.transaction(async (tx) => {
      const { number } = ownHeld(reviewer, await lockReview(tx, jobId), await decisionsOf(tx, jobId))
      await tx
        .delete(verificationReviewDecision)
        .where(and(eq(verificationReviewDecision.jobId, jobId), eq(verificationReviewDecision.number, number)))
      const { issuer, subject } = reviewer
      await tx
        .update(verificationReview)
        .set({
          state: 'waiting',
          heldUntil: null,
          claimIssuer: issuer,
          claimSubject: subject,
          claimUntil: sql`now() + make_interval(secs => ${claimSeconds})`,
        })
        .where(eq(verificationReview.jobId, jobId))
      const { [number]: note, ...others } = notes
      if (note !== undefined) await settle.storeNotes(tx, jobId, others)
      await auditedAccess.review(context, 'undo', jobId, {}, tx)
      return { review: await lockReview(tx, jobId), note: note ?? null }
    }, context.deadline)
  }

  async #take(
    tx: Transaction,
    context: RequestContext,
    reviewer: Reviewer,
    request: NewDecision,
    material: ReviewMaterial,
  ): Promise<{ readonly decided: DecisionResult; readonly position?: number | undefined } | 'overtaken'> {
    const { auditedAccess, settle, fourEyes, undoMinutes } = this.#parts
    const { jobId, decision, reason, note } = request
    const current = await lockReview(tx, jobId)
    const before = await decisionsOf(tx, jobId)
    const own = before.find(isDecisionBy(reviewer))
    if (own !== undefined && own.decision !== decision)
      throw new Fault('CONFLICT', 'You have already made a different decision on this job')
    if (own !== undefined) {
      const { state, heldUntil } = current.review
      return { decided: { job: current.job, isSettled: state === 'decided' || state === 'held', heldUntil } }
    }
    refuseOwn(reviewer, current.job)
    if (!holds(reviewer, current) || material.result === undefined) throw claimMissing()

    if (decision === 'verified' && (await settle.isOvertaken(tx, current, material.result))) return 'overtaken'

    const number = (before.at(-1)?.number ?? 0) + 1
    const { issuer, subject } = reviewer
    await tx.insert(verificationReviewDecision).values({ jobId, number, issuer, subject, decision, reason })
    if (note !== null) await settle.storeNotes(tx, jobId, { ...material.notes, [number]: note })
    await auditedAccess.review(context, 'decide', jobId, { decision, reason }, tx)
    const isSettled = !fourEyes || before.some((other) => other.decision === decision)
    if (!isSettled) {
      await tx.update(verificationReview).set(unclaimed).where(eq(verificationReview.jobId, jobId))
      return { decided: { job: current.job, isSettled, heldUntil: null } }
    }
    if (undoMinutes > 0) {
      const [review] = await tx
        .update(verificationReview)
        .set({ ...unclaimed, state: 'held', heldUntil: sql`now() + make_interval(mins => ${undoMinutes})` })
        .where(eq(verificationReview.jobId, jobId))
        .returning()
      return { decided: { job: current.job, isSettled, heldUntil: review?.heldUntil ?? null } }
    }
    const completed = await settle.complete(tx, current, material)
    if (completed === 'overtaken') return completed
    return { decided: { job: completed.job, isSettled, heldUntil: null }, position: completed.position }
  }
}

const isDecisionBy =
  ({ issuer, subject }: Reviewer) =>
  (decision: ReviewDecisionRow): boolean =>
    decision.issuer === issuer && decision.subject === subject

/** Returns the reviewer's decision. @throws {Fault} CONFLICT unless it is held */
function ownHeld(reviewer: Reviewer, { review }: ReviewedJob, decisions: readonly ReviewDecisionRow[]): ReviewDecisionRow {
  const own = decisions.find(isDecisionBy(reviewer))
  if (review.state === 'held' && own !== undefined) return own
  throw new Fault(
    'CONFLICT',
    review.state === 'held' ? 'Another reviewer made this decision' : 'This decision is not held: it was sent or undone',
  )
}

const overtaken = 'The same face was verified under another code meanwhile; check the possible duplicates and decide again'
