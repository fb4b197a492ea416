import {
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  moment,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
} from '../../engines/relational/drizzle.ts'
import {
  CallbackState,
  DocumentType,
  ReviewDecision,
  ReviewReason,
  ReviewState,
  VerificationOutcome,
  VerificationPriority,
  VerificationStatus,
  wordsOf,
} from './vocabulary.ts'

/** Text chosen by a caller: JSON-escaped, because PostgreSQL text cannot contain U+0000 or lone surrogates. */
export const escapedText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => String(JSON.parse(value)),
})

/** newest job format of this release: with a response of the chip to a challenge */
export const jobFormat = 3
/** format of a job with frames of a challenge */
export const framesFormat = 2
/** format of a job whose submission contains only data that the first release reads or may ignore */
export const plainFormat = 1

export const verificationJob = pgTable('verification_job', {
  id: text('id').primaryKey(),
  sequence: bigint('sequence', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  owner: text('owner').notNull(),
  batchId: text('batch_id'),
  citizenCode: escapedText('citizen_code').notNull(),
  documentType: text('document_type', { enum: wordsOf(DocumentType) }).notNull(),
  countryCode: escapedText('country_code').notNull(),
  priority: text('priority', { enum: wordsOf(VerificationPriority) }).notNull(),
  callbackUrl: escapedText('callback_url'),
  startClass: integer('start_class').notNull(),
  status: text('status', { enum: wordsOf(VerificationStatus) })
    .notNull()
    .default('queued'),
  outcome: text('outcome', { enum: wordsOf(VerificationOutcome) }),
  /** fencing token: a run may write only while the row has the number that it claimed */
  attempt: integer('attempt').notNull().default(0),
  /** attempts that a stopping worker, or one with an unavailable engine, released; they do not count as failed */
  givenBack: integer('given_back').notNull().default(0),
  /** until then no worker may claim it: it is running, or waits after an outage */
  leaseUntil: moment('lease_until'),
  workerId: text('worker_id'),
  queuedAt: moment('queued_at').notNull().defaultNow(),
  enqueuedAt: moment('enqueued_at'),
  firstStartedAt: moment('first_started_at'),
  startedAt: moment('started_at'),
  completedAt: moment('completed_at'),
  acknowledgedAt: moment('acknowledged_at'),
  /** findings of the result, for administrators; they outlive it for OUTCOME_RETENTION_DAYS */
  reasons: text('reasons').array(),
  /** "<code>: <sentence>" of an error */
  failureReason: text('failure_reason'),
  /** time at which the service first received the current result */
  fetchedAt: moment('fetched_at'),
  /** last day on which the document is valid, as read; null when it was not read */
  documentExpiresOn: date('document_expires_on', { mode: 'string' }),
  format: smallint('format').notNull().default(1),
})

export const verificationWorker = pgTable('verification_worker', {
  id: text('id').primaryKey(),
  seenAt: moment('seen_at').notNull().defaultNow(),
  concurrency: integer('concurrency').notNull(),
  meanJobMs: real('mean_job_ms'),
})

/** One row per job with a callback_url, from the time of its result. `made` and `tries` are the fencing token of an attempt. */
export const verificationCallback = pgTable('verification_callback', {
  jobId: text('job_id').primaryKey(),
  owner: text('owner').notNull(),
  receiver: text('receiver').notNull(),
  state: text('state', { enum: wordsOf(CallbackState) })
    .notNull()
    .default('pending'),
  tries: integer('tries').notNull().default(0),
  made: integer('made').notNull().default(0),
  /** number of the completion: 2 after a reviewer's decision */
  delivery: integer('delivery').notNull().default(1),
  nextAt: moment('next_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
})

export const verificationCallbackAttempt = pgTable(
  'verification_callback_attempt',
  {
    jobId: text('job_id').notNull(),
    number: integer('number').notNull(),
    at: moment('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    statusCode: integer('status_code'),
    reason: text('reason'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.number] })],
)

export const verificationSubmission = pgTable(
  'verification_submission',
  {
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    batchId: text('batch_id'),
    jobIds: text('job_ids').array().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.key] })],
)

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
  heldUntil: moment('held_until'),
  /** the first claim, and the subject identifier of its reviewer */
  takenAt: moment('taken_at'),
  takenBy: text('taken_by'),
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

export type JobRow = typeof verificationJob.$inferSelect
export type CallbackRow = typeof verificationCallback.$inferSelect
export type CallbackAttemptRow = typeof verificationCallbackAttempt.$inferSelect
export type ReviewRow = typeof verificationReview.$inferSelect
export type ReviewDecisionRow = typeof verificationReviewDecision.$inferSelect
