import { bigint, boolean, doublePrecision, integer, jsonb, moment, pgTable, primaryKey, text } from '../../../engines/relational/drizzle.ts'
import { wordsOf } from '../vocabulary.ts'
import { ReviewDecision, ReviewReason, ReviewState } from './vocabulary.ts'

/** Reviews of jobs, waiting or ended. */
export const verificationReview = pgTable('verification_review', {
  jobId: text('job_id').primaryKey(),
  state: text('state', { enum: wordsOf(ReviewState) })
    .notNull()
    .default('waiting'),
  reasons: text('reasons').array().notNull(),
  waitingSince: moment('waiting_since').notNull().defaultNow(),
  claimIssuer: text('claim_issuer'),
  claimSubject: text('claim_subject'),
  claimUntil: moment('claim_until'),
  handedOut: boolean('handed_out').notNull().default(false),
})

/** Decisions, one per reviewer and job. */
export const verificationReviewDecision = pgTable(
  'verification_review_decision',
  {
    jobId: text('job_id').notNull(),
    number: integer('number').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    decision: text('decision', { enum: wordsOf(ReviewDecision) }).notNull(),
    reason: text('reason', { enum: wordsOf(ReviewReason) }).notNull(),
    decidedAt: moment('decided_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.number] })],
)

/** Measurements and decisions; numbers only. */
export const verificationReviewCase = pgTable('verification_review_case', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  jobId: text('job_id'),
  /** YYYY-MM-DD, UTC */
  decidedOn: text('decided_on').notNull(),
  decision: text('decision', { enum: wordsOf(ReviewDecision) }).notNull(),
  reason: text('reason', { enum: wordsOf(ReviewReason) }).notNull(),
  leaning: text('leaning', { enum: wordsOf(ReviewDecision) }),
  faceModel: text('face_model'),
  faceDistance: doublePrecision('face_distance'),
  scores: jsonb('scores').$type<Readonly<Record<string, number>>>().notNull(),
})

export type ReviewRow = typeof verificationReview.$inferSelect
export type ReviewDecisionRow = typeof verificationReviewDecision.$inferSelect
