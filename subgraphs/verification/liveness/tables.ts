import { millisecondMoment, pgTable, sql, text } from '../../../engines/relational/drizzle.ts'
import { escapedText } from '../tables.ts'
import { LivenessStep, wordsOf } from '../vocabulary.ts'

/** Liveness challenges, each used by at most one job. */
export const livenessChallenge = pgTable('liveness_challenge', {
  nonce: text('nonce').primaryKey(),
  owner: text('owner').notNull(),
  citizenCode: escapedText('citizen_code').notNull(),
  steps: text('steps', { enum: wordsOf(LivenessStep) })
    .array()
    .notNull(),
  issuedAt: millisecondMoment('issued_at').notNull().default(sql`date_trunc('milliseconds', clock_timestamp())`),
  expiresAt: millisecondMoment('expires_at').notNull(),
  jobId: text('job_id'),
  usedAt: millisecondMoment('used_at'),
})
