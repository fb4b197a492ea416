import type { Database, Queryable } from '../../../engines/relational/database.ts'
import { and, eq, sql } from '../../../engines/relational/drizzle.ts'
import { keyset } from '../../../engines/relational/keyset.ts'
import type { RowWindow } from '../../../foundation/row-window.ts'
import { isUuid } from '../../../foundation/validation/uuid.ts'
import { type JobRow, verificationJob } from '../tables.ts'
import type { Reviewer } from './reviewer.ts'
import { type ReviewRow, verificationReview, verificationReviewDecision } from './tables.ts'

/** A job under review; `isClaimed` by the clock of the database. */
export interface ReviewedJob {
  readonly job: JobRow
  readonly review: ReviewRow
  readonly isClaimed: boolean
}

export interface QueueFilter {
  /** only those that have this among their reasons */
  readonly reason?: string
  /** only those that have waited for so many minutes */
  readonly minAgeMinutes?: number
}

/** A place in the queue. */
export interface QueuePosition {
  readonly waitingSince: Date
  readonly jobId: string
}

const { jobId, state, waitingSince, reasons, claimUntil } = verificationReview
const isClaimed = sql<boolean>`coalesce(${claimUntil} > now(), false)`
const columns = { job: verificationJob, review: verificationReview, isClaimed }

/** Whether this person has decided on the job already. */
export const decidedBy = ({ issuer, subject }: Reviewer) => sql`exists (
  select from ${verificationReviewDecision} as by where by.job_id = ${jobId} and by.issuer = ${issuer} and by.subject = ${subject})`

/** What waits and this person has not yet decided on, longest waiting first. */
export async function listReviews(
  { orm }: Database,
  reviewer: Reviewer,
  filter: QueueFilter,
  window: RowWindow<QueuePosition>,
): Promise<readonly ReviewedJob[]> {
  const { past, order } = keyset([waitingSince, jobId], 'rising', window, (place) => [place.waitingSince, place.jobId])
  return orm
    .select(columns)
    .from(verificationReview)
    .innerJoin(verificationJob, eq(verificationJob.id, jobId))
    .where(and(waitsFor(reviewer, filter), past))
    .orderBy(...order)
    .limit(window.limit)
}

/** How many wait that this person has not yet decided on. */
export async function countReviews({ orm }: Database, reviewer: Reviewer, filter: QueueFilter): Promise<number> {
  return orm.$count(verificationReview, waitsFor(reviewer, filter))
}

const waitsFor = (reviewer: Reviewer, { reason, minAgeMinutes }: QueueFilter) =>
  and(
    eq(state, 'waiting'),
    reason === undefined ? undefined : sql`${reason} = any(${reasons})`,
    minAgeMinutes === undefined ? undefined : sql`${waitingSince} <= now() - make_interval(mins => ${minAgeMinutes})`,
    sql`not ${decidedBy(reviewer)}`,
  )

/** The review of a job in whatever state; undefined where there is none. */
export async function findReview({ orm }: { readonly orm: Queryable }, id: string): Promise<ReviewedJob | undefined> {
  if (!isUuid(id)) return undefined
  const [found] = await orm
    .select(columns)
    .from(verificationReview)
    .innerJoin(verificationJob, eq(verificationJob.id, jobId))
    .where(eq(jobId, id))
  return found
}
