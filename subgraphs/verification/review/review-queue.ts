import type { Database, Queryable } from '../../../engines/relational/database.ts'
import { and, count, eq, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { type JobRow, type ReviewRow, verificationJob, verificationReview, verificationReviewDecision } from '../tables.ts'
import type { Reviewer } from './reviewer.ts'

/** A job under review; `isClaimed` by the database clock. */
export interface ReviewedJob {
  readonly job: JobRow
  readonly review: ReviewRow
  readonly isClaimed: boolean
}

export interface QueueFilter {
  /** only jobs with this reason */
  readonly reason?: string
  /** only jobs that have waited at least this number of minutes */
  readonly minAgeMinutes?: number
  readonly documentType?: JobRow['documentType']
  /** as submitted */
  readonly countryCode?: string
  /** only jobs that this reviewer has claimed */
  readonly claimedByMe?: boolean
}

/** Position in the queue. */
export interface QueuePosition {
  readonly waitingSince: Date
  readonly jobId: string
}

const { jobId, state, waitingSince, reasons, claimIssuer, claimSubject, claimUntil } = verificationReview
const isClaimed = sql<boolean>`coalesce(${claimUntil} > now(), false)`
const columns = { job: verificationJob, review: verificationReview, isClaimed }

/** Condition: this reviewer has already decided the job. */
export const decidedBy = ({ issuer, subject }: Reviewer) => sql`exists (
  select from ${verificationReviewDecision} as by where by.job_id = ${jobId} and by.issuer = ${issuer} and by.subject = ${subject})`

/** Returns waiting jobs that this reviewer has not decided, longest waiting first. */
export async function listReviews(
  { orm }: Database,
  reviewer: Reviewer,
  filter: QueueFilter,
  window: RowWindow<QueuePosition>,
): Promise<readonly ReviewedJob[]> {
  const { past, order } = keyset([waitingSince, jobId], 'ascending', window, (place) => [place.waitingSince, place.jobId])
  return orm
    .select(columns)
    .from(verificationReview)
    .innerJoin(verificationJob, eq(verificationJob.id, jobId))
    .where(and(waitsFor(reviewer, filter), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** Counts waiting jobs that this reviewer has not decided. */
export async function countReviews({ orm }: Database, reviewer: Reviewer, filter: QueueFilter): Promise<number> {
  const [row] = await orm
    .select({ total: count() })
    .from(verificationReview)
    .innerJoin(verificationJob, eq(verificationJob.id, jobId))
    .where(waitsFor(reviewer, filter))
  return row?.total ?? 0
}

const waitsFor = (reviewer: Reviewer, { reason, minAgeMinutes, documentType, countryCode, claimedByMe }: QueueFilter) =>
  and(
    eq(state, 'waiting'),
    reason === undefined ? undefined : sql`${reason} = any(${reasons})`,
    minAgeMinutes === undefined ? undefined : sql`${waitingSince} <= now() - make_interval(mins => ${minAgeMinutes})`,
    documentType === undefined ? undefined : eq(verificationJob.documentType, documentType),
    countryCode === undefined ? undefined : eq(verificationJob.countryCode, countryCode),
    claimedByMe === true ? and(isClaimed, eq(claimIssuer, reviewer.issuer), eq(claimSubject, reviewer.subject)) : undefined,
    sql`not ${decidedBy(reviewer)}`,
  )

/** Returns the review of a job in any state; undefined without one. */
export async function findReview({ orm }: { readonly orm: Queryable }, id: string): Promise<ReviewedJob | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await orm
    .select(columns)
    .from(verificationReview)
    .innerJoin(verificationJob, eq(verificationJob.id, jobId))
    .where(eq(jobId, id))
  return row
}
