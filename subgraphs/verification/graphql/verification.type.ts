import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { FeedPosition } from '../../../foundation/graphql/event-position.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import { readers } from '../access/visibility.ts'
import { reviewers } from '../review/reviewer.ts'
import type { JobRow } from '../tables.ts'
import {
  DocumentType,
  FinishedKind,
  ReviewReason,
  StartedKind,
  VerificationOutcome,
  VerificationPriority,
  VerificationStatus,
} from '../vocabulary.ts'
import { CrossValidations, VerificationScores } from './cross-validations.type.ts'

registerEnum(VerificationStatus, {
  name: 'VerificationStatus',
  description: 'Status of a job.',
  values: {
    QUEUED: 'The job waits in the queue.',
    PROCESSING: 'A worker runs the job.',
    COMPLETED: 'The job has a result; final.',
    ERROR: 'The job could not be performed; final.',
  },
})

registerEnum(StartedKind, {
  name: 'VerificationStartedKind',
  description: 'Kind of an event of `verificationStarted`.',
  values: {
    STARTED: 'A worker has started the job.',
    LAGGED: 'Events before this position were missed.',
  },
})

registerEnum(FinishedKind, {
  name: 'VerificationFinishedKind',
  description: 'Kind of an event of `verificationFinished`.',
  values: {
    COMPLETED: 'The job has a result.',
    ERROR: 'The job ended with an error.',
    LAGGED: 'Events before this position were missed.',
  },
})

registerEnum(VerificationOutcome, {
  name: 'VerificationOutcome',
  description: 'Outcome of a job.',
  values: {
    VERIFIED: 'The identity is verified.',
    PENDING_REVIEW: 'A reviewer must decide.',
    REJECTED: 'The identity is rejected.',
    ERROR: 'The verification could not be performed.',
  },
})

@Directive('@key(fields: "code")')
@ObjectType({
  description:
    'A citizen, identified by a code that the calling services assign. Expressions and votes cannot be reached from here: they are stored under pseudonyms only.',
})
export class Citizen {
  @Field(() => String, { description: 'Citizen code, assigned by the calling services.' })
  code!: string
}

@Directive('@key(fields: "id")')
@Authorise(...readers)
@ObjectType({ description: 'Verifications that were submitted together.' })
export class VerificationBatch {
  @Field(() => ID, { description: 'Id of the batch.' })
  id!: string
}

@Directive('@key(fields: "id")')
@Authorise(...readers)
@ObjectType({ description: 'An identity verification.' })
export class VerificationJob {
  // reviewers may read the id only
  @Authorise(...readers, ...reviewers)
  @Field(() => ID, { description: 'Id of the job.' })
  id!: string
  @Field(() => VerificationStatus, { description: 'Status of the job.' })
  status!: JobRow['status']
  @Field(() => Citizen, { description: 'The citizen whose identity is verified.' })
  citizen!: Citizen
  @Field(() => VerificationBatch, { nullable: true, description: 'The batch of the job; null when it was submitted alone.' })
  batch!: VerificationBatch | null
  @Field(() => DocumentType, { description: 'Kind of document.' })
  documentType!: JobRow['documentType']
  @Field(() => String, { description: 'Issuing country as submitted.' })
  countryCode!: string
  @Field(() => VerificationPriority, { description: 'Priority of the job in the queue.' })
  priority!: JobRow['priority']
  @Field(() => DateTime, { description: 'Time at which the job was accepted.' })
  queuedAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Start of the most recent attempt; null before the first.' })
  startedAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which the result became final; null before.' })
  completedAt!: Date | null
  @Field(() => String, {
    nullable: true,
    description:
      'Worker of the most recent attempt: host name, process id and four hexadecimal digits, joined by `-`; null before the first.',
  })
  workerId!: string | null
  @Field(() => VerificationOutcome, { nullable: true, description: 'Outcome of the job; null until it is final.' })
  outcome!: JobRow['outcome']
  @Field(() => DateTime, { nullable: true, description: 'Time at which the service acknowledged the result; null before.' })
  acknowledgedAt!: Date | null
  @Field(() => VerificationResult, {
    nullable: true,
    description: 'The result; null until it is final, and again after it is acknowledged.',
  })
  result?: VerificationResult | null
}

@ObjectType({ description: 'The decision of reviewers that produced a result.' })
export class ResultReview {
  @Field(() => ReviewReason, { description: 'Reason for the decision.' })
  reason!: ReviewReason
}

@ObjectType({ description: 'Why a verification failed.' })
export class VerificationFailure {
  @Field(() => String, { description: 'Machine-readable cause, such as `invalid_base64`, `unsupported_format` or `too_many_attempts`.' })
  code!: string
  @Field(() => String, { nullable: true, description: 'Member of SubmitVerificationInput that caused it; null for other causes.' })
  field!: string | null
  @Field(() => String, { description: 'The cause as a sentence.' })
  message!: string
}

@ObjectType({ description: 'The result of a verification.' })
export class VerificationResult {
  @Field(() => VerificationJob, { description: 'The job of the result.' })
  job!: VerificationJob
  @Field(() => VerificationStatus, { description: 'COMPLETED or ERROR.' })
  status!: JobRow['status']
  @Field(() => VerificationOutcome, { description: 'Outcome of the verification.' })
  outcome!: NonNullable<JobRow['outcome']>
  @Field(() => DateTime, { description: 'Time at which the result became final.' })
  completedAt!: Date
  @Field(() => Int, { description: 'Milliseconds from the start of the first attempt to the result.' })
  processingTimeMs!: number
  @Field(() => String, {
    nullable: true,
    description: 'Reason for the failure, as "<code>: <sentence>" with the member names of REST; null unless the status is ERROR.',
    ...deprecated('failure'),
  })
  failureReason!: string | null
  @Field(() => VerificationFailure, { nullable: true, description: 'Reason for the failure; null unless the status is ERROR.' })
  failure!: VerificationFailure | null
  @Field(() => CrossValidations, { nullable: true, description: 'All checks; null when the status is ERROR.' })
  crossValidations!: CrossValidations | null
  @Field(() => VerificationScores, { nullable: true, description: 'Scores from 0 to 1; null when the status is ERROR.' })
  scores!: VerificationScores | null
  @Field(() => ResultReview, {
    nullable: true,
    description: 'The decision of reviewers; null when none was made. Checks and scores remain those of the automatic checks.',
  })
  review?: ResultReview | null
}

@ObjectType({ description: 'An edge of `VerificationResultConnection`: a result and its cursor.' })
export class VerificationResultEdge {
  @Field(() => VerificationResult, { description: 'The result.' })
  node!: VerificationResult
  @Field(() => String, { description: 'Cursor of the result.' })
  cursor!: string
}

@ObjectType({ description: 'A page of results that wait for acknowledgement, oldest completion first.' })
export class VerificationResultConnection {
  @Field(() => [VerificationResultEdge], { description: 'The results of the page with their cursors.' })
  edges!: readonly VerificationResultEdge[]
  @Field(() => [VerificationResult], { description: 'The results of the page.' })
  nodes!: readonly VerificationResult[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  @Field(() => Int, { description: 'Number of the caller’s results that wait for acknowledgement.' })
  totalCount?: number
}

@ObjectType({ description: 'An edge of `VerificationJobConnection`: a verification and its cursor.' })
export class VerificationJobEdge {
  @Field(() => VerificationJob, { description: 'The verification.' })
  node!: VerificationJob
  @Field(() => String, { description: 'Cursor of the verification.' })
  cursor!: string
}

@ObjectType({ description: 'A page of verifications.' })
export class VerificationJobConnection implements CountablePage {
  @Field(() => [VerificationJobEdge], { description: 'The verifications of the page with their cursors.' })
  edges!: readonly VerificationJobEdge[]
  @Field(() => [VerificationJob], { description: 'The verifications of the page.' })
  nodes!: readonly VerificationJob[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'Current figures of the queue and its workers, over all callers.' })
export class VerificationQueue {
  @Field(() => Int, { description: 'Number of queued jobs.' })
  depth!: number
  @Field(() => Int, { description: 'Number of running jobs.' })
  processing!: number
  @Field(() => Int, { description: 'Number of finished jobs that wait for acknowledgement.' })
  ready!: number
  @Field(() => Int, { description: 'Number of worker processes that reported within the last 15 s.' })
  workersActive!: number
}

@ObjectType({ description: 'A model and its version.' })
export class ModelVersion {
  @Field(() => String, { description: 'Purpose of the model.' })
  name!: string
  @Field(() => String, { description: 'Version of the model.' })
  version!: string
}

@ObjectType({ description: 'Version of the verification service.' })
export class VerificationVersion {
  @Field(() => String, { description: 'Name of the service.' })
  name!: string
  @Field(() => String, { description: 'Version of the service.' })
  version!: string
  @Field(() => String, { description: 'Version of the documented interface.' })
  apiVersion!: string
  @Field(() => String, { description: 'Source revision of the build, or "unknown".' })
  commit!: string
  @Field(() => Int, { description: 'Number of the newest database migration that the build knows; it orders builds of one release.' })
  schemaLevel!: number
  @Field(() => [ModelVersion], { description: 'The models in use.' })
  models!: readonly ModelVersion[]
}

@ObjectType({ description: 'Result of `submitVerification`: the accepted job and its position in the queue.' })
export class SubmitVerificationPayload {
  @Field(() => VerificationJob, { description: 'The job.' })
  job!: VerificationJob
  @Field(() => Int, { description: 'Number of jobs that start before this one.' })
  queuePosition!: number
  @Field(() => Int, {
    description: 'Estimated seconds until the job is final, from a moving average of processing times; 0 when there is no estimate.',
  })
  estimatedWaitSeconds!: number
}

@ObjectType({ description: 'Result of `submitVerificationBatch`.' })
export class SubmitVerificationBatchPayload {
  @Field(() => VerificationBatch, { description: 'The batch.' })
  batch!: VerificationBatch
  @Field(() => [VerificationJob], { description: 'The jobs of the batch, in the order of submission.' })
  jobs!: readonly VerificationJob[]
  @Field(() => Int, { description: 'Number of jobs in the batch.' })
  total!: number
  @Field(() => Int, { description: 'Number of jobs accepted; equal to `total`.' })
  queued!: number
  @Field(() => Int, { description: 'Number of queued jobs, over all callers.' })
  queueDepth!: number
}

@ObjectType({ description: 'Result of `acknowledgeVerificationResults`.' })
export class AcknowledgeVerificationResultsPayload {
  @Field(() => Int, { description: 'Number of results erased by this call.' })
  acknowledged!: number
  @Field(() => [ID], { description: 'Ids of the jobs (VerificationJob) whose results were erased by this call, for cache invalidation.' })
  acknowledgedJobIds!: readonly string[]
  @Field(() => Int, { description: 'Number of distinct ids that are unknown, of another caller, not final, or already acknowledged.' })
  notFound!: number
}

@ObjectType({ description: 'An event of `verificationStarted`.' })
export class VerificationStarted extends FeedPosition {
  @Field(() => StartedKind, { description: 'Kind of the event.' })
  kind!: StartedKind
  @Field(() => VerificationJob, { nullable: true, description: 'The job; null when the kind is LAGGED.' })
  job!: VerificationJob | null
}

@ObjectType({ description: 'An event of `verificationFinished`.' })
export class VerificationFinished extends FeedPosition {
  @Field(() => FinishedKind, { description: 'Kind of the event.' })
  kind!: FinishedKind
  @Field(() => VerificationJob, { nullable: true, description: 'The job; null when the kind is LAGGED.' })
  job!: VerificationJob | null
}
