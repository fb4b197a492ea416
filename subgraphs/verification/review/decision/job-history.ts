import type { ImageVault } from '../../../../engines/image-vault/image-vault.ts'
import type { Database } from '../../../../engines/relational/database.ts'
import { asc, eq } from '../../../../engines/relational/drizzle.ts'
import type { RequestContext } from '../../../../foundation/graphql/request-context.ts'
import type { AuditedAccess } from '../../access/audited-access.ts'
import { type JobRow, type ReviewDecisionRow, type ReviewRow, verificationReview, verificationReviewDecision } from '../../tables.ts'
import type { JobEventKind } from '../../vocabulary.ts'
import { notesOf } from './review-notes.ts'

/** Something that happened to a job. */
export interface HistoryEvent {
  readonly kind: JobEventKind
  readonly at: Date
  /** subject identifier of the person */
  readonly person?: string
  readonly service?: string
  readonly outcome?: JobRow['outcome']
  readonly decision?: ReviewDecisionRow['decision']
  readonly reason?: ReviewDecisionRow['reason']
  readonly note?: string
  /** until then the decision can be undone */
  readonly heldUntil?: Date
}

export interface HistoryDependencies {
  readonly database: Database
  readonly vault: ImageVault
  readonly auditedAccess: AuditedAccess
}

/** Returns what happened to a job, oldest first. Decisions appear once the job is settled; reading them is audited. */
export async function jobHistory(
  { database, vault, auditedAccess }: HistoryDependencies,
  job: JobRow,
  context: RequestContext,
): Promise<readonly HistoryEvent[]> {
  const [review] = await database.orm.select().from(verificationReview).where(eq(verificationReview.jobId, job.id))
  const decisions =
    review === undefined || review.state === 'waiting'
      ? []
      : await database.orm
          .select()
          .from(verificationReviewDecision)
          .where(eq(verificationReviewDecision.jobId, job.id))
          .orderBy(asc(verificationReviewDecision.number))
  if (decisions.length === 0) return eventsOf(job, review, [])
  await auditedAccess.review(context, 'decisions.read', job.id)
  const notes = await notesOf(vault, job.id, context.signal)
  return eventsOf(
    job,
    review,
    decisions.map(({ number, ...decision }) => ({ ...decision, note: notes[number] })),
  )
}

type Decision = Pick<ReviewDecisionRow, 'subject' | 'decision' | 'reason' | 'decidedAt'> & { readonly note: string | undefined }

/** @param decisions - in order */
export function eventsOf(job: JobRow, review: ReviewRow | undefined, decisions: readonly Decision[]): readonly HistoryEvent[] {
  const checkedAt = review?.waitingSince ?? job.completedAt
  const isDecided = review?.state === 'decided'
  const events: readonly (HistoryEvent | undefined)[] = [
    { kind: 'submitted', at: job.queuedAt, service: job.owner },
    at('checked', checkedAt, { outcome: review === undefined ? job.outcome : 'pending_review' }),
    at('taken', review?.takenAt, review?.takenBy === null ? {} : { person: review?.takenBy ?? '' }),
    ...decisions.map(({ subject, decision, reason, decidedAt, note }, index) =>
      at('decided', decidedAt, {
        person: subject,
        decision,
        reason,
        ...(note !== undefined && { note }),
        ...(index === decisions.length - 1 && review?.heldUntil != null && { heldUntil: review.heldUntil }),
      }),
    ),
    isDecided ? at('completed', job.completedAt, { outcome: job.outcome }) : undefined,
    at('fetched', job.fetchedAt, { service: job.owner }),
    at('acknowledged', job.acknowledgedAt, { service: job.owner }),
  ]
  return events.filter((event) => event !== undefined).sort((one, other) => one.at.getTime() - other.at.getTime())
}

const at = (kind: JobEventKind, time: Date | null | undefined, more: Omit<HistoryEvent, 'kind' | 'at'>): HistoryEvent | undefined =>
  time == null ? undefined : { kind, at: time, ...more }
