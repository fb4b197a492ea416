import type { ImageVault } from '../../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../../engines/relational/database.ts'
import { and, asc, eq, ne } from '../../../../engines/relational/drizzle.ts'
import type { RequestContext } from '../../../../foundation/graphql/request-context.ts'
import { isUuid } from '../../../../foundation/validation/values.ts'
import type { AuditedAccess } from '../../access/audited-access.ts'
import { type ReviewDecisionRow, verificationReview, verificationReviewDecision } from '../../tables.ts'
import { notesOf } from './review-notes.ts'

export interface RecordedDecision extends Pick<ReviewDecisionRow, 'decision' | 'reason' | 'decidedAt'> {
  /** subject identifier of the person */
  readonly reviewer: string
  readonly note: string | null
}

/** Returns the decisions on a job in order. Empty until it is settled, so that the second reviewer decides independently. */
export async function recordedDecisions(
  { database, vault, accounting }: { readonly database: Database; readonly vault: ImageVault; readonly accounting: AuditedAccess },
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
  await accounting.review(context, 'decisions.read', id)
  const notes = await notesOf(vault, id, context.signal)
  return rows.map(({ decided }) => {
    const { decision, reason, decidedAt } = decided
    return { reviewer: decided.subject, decision, reason, note: notes[decided.number] ?? null, decidedAt }
  })
}
