import type { ImageVault } from '../../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../../engines/relational/database.ts'
import { and, asc, desc, eq, ne, sql } from '../../../../engines/relational/drizzle.ts'
import type { RequestContext } from '../../../../foundation/graphql/request-context.ts'
import { isUuid } from '../../../../foundation/validation/values.ts'
import type { AuditedAccess } from '../../access/audited-access.ts'
import { type ReviewDecisionRow, verificationJob, verificationReview, verificationReviewDecision } from '../../tables.ts'
import type { Reviewer } from '../reviewer.ts'
import { notesOf } from './review-notes.ts'

const ownLimit = 100

/** Returns the decisions of a reviewer in the last 24 hours, latest first. */
export function ownDecisions({ orm }: Database, { issuer, subject }: Reviewer) {
  const { jobId, decision, reason, decidedAt } = verificationReviewDecision
  const isOwn = and(eq(verificationReviewDecision.issuer, issuer), eq(verificationReviewDecision.subject, subject))
  const { state, heldUntil } = verificationReview
  return orm
    .select({ job: verificationJob, decision, reason, decidedAt, state, heldUntil })
    .from(verificationReviewDecision)
    .innerJoin(verificationReview, eq(verificationReview.jobId, jobId))
    .innerJoin(verificationJob, eq(verificationJob.id, jobId))
    .where(and(isOwn, sql`${decidedAt} > now() - interval '24 hours'`))
    .orderBy(desc(decidedAt))
    .limit(ownLimit)
}

export interface RecordedDecision extends Pick<ReviewDecisionRow, 'decision' | 'reason' | 'decidedAt'> {
  /** subject identifier of the person */
  readonly reviewer: string
  readonly note: string | null
}

/** Returns the decisions on a job in order. Empty until it is settled, so that the second reviewer decides independently. */
export async function recordedDecisions(
  { database, vault, auditedAccess }: { readonly database: Database; readonly vault: ImageVault; readonly auditedAccess: AuditedAccess },
  context: RequestContext,
  id: string,
): Promise<RecordedDecision[]> {
  if (!isUuid(id)) return []
  const { jobId, number } = verificationReviewDecision
  const rows = await database.orm
    .select({ decided: verificationReviewDecision })
    .from(verificationReviewDecision)
    .innerJoin(verificationReview, eq(verificationReview.jobId, jobId))
    .where(and(eq(jobId, id), ne(verificationReview.state, 'waiting')))
    .orderBy(asc(number))
  if (rows.length === 0) return []
  await auditedAccess.review(context, 'decisions.read', id)
  const notes = await notesOf(vault, id, context.signal)
  return rows.map(({ decided }) => {
    const { decision, reason, decidedAt } = decided
    return { reviewer: decided.subject, decision, reason, note: notes[decided.number] ?? null, decidedAt }
  })
}
