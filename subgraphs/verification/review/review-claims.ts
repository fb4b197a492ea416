import type { Database } from '../../../engines/relational/database.ts'
import { and, eq, isNull, lt, or, sql } from '../../../engines/relational/drizzle.ts'
import { Fault, NotFound } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import type { AuditedAccess } from '../access/audited-access.ts'
import { verificationReview } from '../tables.ts'
import { decidedBy, findReview, type ReviewedJob } from './review-queue.ts'
import { type Reviewer, refuseOwn, reviewerOf } from './reviewer.ts'

/** lifetime of a claim; claiming again extends it */
export const claimSeconds = 900

const { jobId, state, claimIssuer, claimSubject, claimUntil, takenAt, takenBy } = verificationReview
const isMine = ({ issuer, subject }: Reviewer) => and(eq(claimIssuer, issuer), eq(claimSubject, subject))

/** Claims on jobs: one reviewer at a time, with a lease by the database clock. */
export class ReviewClaims {
  readonly #database: Database
  readonly #auditedAccess: AuditedAccess
  readonly #leaseSeconds: number

  constructor(database: Database, auditedAccess: AuditedAccess, leaseSeconds = claimSeconds) {
    this.#database = database
    this.#auditedAccess = auditedAccess
    this.#leaseSeconds = leaseSeconds
  }

  /**
   * Claims an unclaimed job, or extends the caller's claim.
   * @throws {NotFound} @throws {Forbidden} for the reviewer's own job @throws {Fault} CONFLICT: claimed by another reviewer, no longer
   * waiting, or already decided by the caller
   */
  async claim(context: RequestContext, id: string): Promise<ReviewedJob> {
    const reviewer = reviewerOf(context.principal)
    const current = await this.#find(id)
    refuseOwn(reviewer, current.job)
    return this.#database.transaction(async (tx) => {
      const { issuer, subject } = reviewer
      const [review] = await tx
        .update(verificationReview)
        .set({
          claimIssuer: issuer,
          claimSubject: subject,
          claimUntil: sql`now() + make_interval(secs => ${this.#leaseSeconds})`,
          takenAt: sql`coalesce(${takenAt}, now())`,
          takenBy: sql`coalesce(${takenBy}, ${subject})`,
        })
        .where(
          and(
            eq(jobId, id),
            eq(state, 'waiting'),
            or(isNull(claimUntil), lt(claimUntil, sql`now()`), isMine(reviewer)),
            sql`not ${decidedBy(reviewer)}`,
          ),
        )
        .returning()
      if (review === undefined) throw await this.#refusal(id, reviewer)
      await this.#auditedAccess.review(context, 'claim', id, {}, tx)
      return { job: current.job, review, isClaimed: true }
    }, context.deadline)
  }

  /** Releases the caller's claim. @returns whether the caller held it */
  async release(context: RequestContext, id: string): Promise<boolean> {
    const reviewer = reviewerOf(context.principal)
    await this.#find(id)
    return this.#database.transaction(async (tx) => {
      const released = await tx
        .update(verificationReview)
        .set(unclaimed)
        .where(and(eq(jobId, id), isMine(reviewer)))
        .returning({ jobId })
      if (released.length > 0) await this.#auditedAccess.review(context, 'release', id, {}, tx)
      return released.length > 0
    }, context.deadline)
  }

  /** Returns whether this reviewer holds a valid claim on the job. */
  async isHeld(reviewer: Reviewer, id: string): Promise<boolean> {
    const current = await findReview(this.#database, id)
    return current !== undefined && holds(reviewer, current)
  }

  async #find(id: string): Promise<ReviewedJob> {
    const current = await findReview(this.#database, id)
    if (current === undefined) throw new NotFound('Review not found')
    return current
  }

  async #refusal(id: string, reviewer: Reviewer): Promise<Fault> {
    const { review, isClaimed } = await this.#find(id)
    if (review.state === 'held') return new Fault('CONFLICT', 'This job was decided; its reviewer can still undo the decision')
    if (review.state !== 'waiting') return new Fault('CONFLICT', `This review is ${review.state}; it cannot be decided`)
    const others = isClaimed && !(review.claimIssuer === reviewer.issuer && review.claimSubject === reviewer.subject)
    return new Fault(
      'CONFLICT',
      others ? 'Another reviewer has claimed this job' : 'You have already decided this job; another reviewer must decide',
    )
  }
}

export const unclaimed = { claimIssuer: null, claimSubject: null, claimUntil: null } as const

export const holds = ({ issuer, subject }: Reviewer, { review, isClaimed }: Omit<ReviewedJob, 'job'>): boolean =>
  isClaimed && review.state === 'waiting' && review.claimIssuer === issuer && review.claimSubject === subject

export const claimMissing = (): Fault => new Fault('CONFLICT', 'You do not hold a claim on this job; claim it again')
