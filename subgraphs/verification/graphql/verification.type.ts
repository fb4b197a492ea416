import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import { reviewers } from '../review/reviewer.ts'
import { ReviewReason } from '../review/vocabulary.ts'
import type { JobRow } from '../tables.ts'
import { readers } from '../visibility.ts'
import { DocumentType, FinishedKind, VerificationOutcome, VerificationPriority, VerificationStatus } from '../vocabulary.ts'
import { CrossValidations, VerificationScores } from './cross-validations.type.ts'

registerEnumType(VerificationStatus, { name: 'VerificationStatus', description: 'Where a job stands; COMPLETED and ERROR are final' })

registerEnumType(FinishedKind, {
  name: 'VerificationFinishedKind',
  description: 'COMPLETED: there is a result; ERROR: it could not be done; LAGGED: events before this place were missed',
})

registerEnumType(VerificationOutcome, {
  name: 'VerificationOutcome',
  description: 'What a job ended with; PENDING_REVIEW leaves the decision to a person',
})

@Directive('@key(fields: "code")')
@ObjectType({
  description:
    'A citizen, known by the code that the callers use. Nothing leads from here to what they have said or voted: of those only pseudonyms are kept',
})
export class Citizen {
  @Field(() => String, { description: 'The code' })
  code!: string
}

@Directive('@key(fields: "id")')
@Authorise(...readers)
@ObjectType({ description: 'Verifications that were submitted together' })
export class VerificationBatch {
  @Field(() => ID, { description: 'Id of the batch' })
  id!: string
}

@Directive('@key(fields: "id")')
@Authorise(...readers)
@ObjectType({ description: 'An identity verification' })
export class VerificationJob {
  // reviewers are shown which one it is, and nothing else of it
  @Authorise(...readers, ...reviewers)
  @Field(() => ID, { description: 'Id of the job' })
  id!: string
  @Field(() => VerificationStatus, { description: 'Where it stands' })
  status!: JobRow['status']
  @Field(() => Citizen, { description: 'Whose identity is verified' })
  citizen!: Citizen
  @Field(() => VerificationBatch, { nullable: true, description: 'The batch it came with; null when it came alone' })
  batch!: VerificationBatch | null
  @Field(() => DocumentType, { description: 'Kind of document' })
  documentType!: JobRow['documentType']
  @Field(() => String, { description: 'Issuing country as given' })
  countryCode!: string
  @Field(() => VerificationPriority, { description: 'Priority' })
  priority!: JobRow['priority']
  @Field(() => DateTime, { description: 'When it was accepted' })
  queuedAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'When its last attempt began' })
  startedAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'When its result became final' })
  completedAt!: Date | null
  @Field(() => String, { nullable: true, description: 'The worker of its last attempt: host-pid-4 hex digits' })
  workerId!: string | null
  @Field(() => VerificationOutcome, { nullable: true, description: 'What it ended with' })
  outcome!: JobRow['outcome']
  @Field(() => VerificationResult, { nullable: true, description: 'The result: null until it is final, and again once it is acknowledged' })
  result?: VerificationResult | null
}

@ObjectType({ description: 'The decision of people that a result is' })
export class ResultReview {
  @Field(() => ReviewReason, { description: 'Why they decided so' })
  reason!: ReviewReason
}

@ObjectType({ description: 'What a verification found' })
export class VerificationResult {
  @Field(() => VerificationJob, { description: 'The job it belongs to' })
  job!: VerificationJob
  @Field(() => VerificationStatus, { description: 'COMPLETED or ERROR' })
  status!: JobRow['status']
  @Field(() => VerificationOutcome, { description: 'The decision' })
  outcome!: NonNullable<JobRow['outcome']>
  @Field(() => DateTime, { description: 'When it became final' })
  completedAt!: Date
  @Field(() => Int, { description: 'Milliseconds from the first start to the end, all attempts together' })
  processingTimeMs!: number
  @Field(() => String, { nullable: true, description: '"<code>: <sentence>"; null unless the status is ERROR' })
  failureReason!: string | null
  @Field(() => CrossValidations, { nullable: true, description: 'Everything that was checked; null for an error' })
  crossValidations!: CrossValidations | null
  @Field(() => VerificationScores, { nullable: true, description: 'Scores from 0 to 1; null for an error' })
  scores!: VerificationScores | null
  @Field(() => ResultReview, { nullable: true, description: 'Set when a person decided; checks and scores stay the machine’s' })
  review?: ResultReview | null
}

@ObjectType({ description: 'A result in a list' })
export class VerificationResultEdge {
  @Field(() => VerificationResult, { description: 'The result' })
  node!: VerificationResult
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
}

@ObjectType({ description: 'Results that wait for acknowledgement, oldest completion first' })
export class VerificationResultConnection {
  @Field(() => [VerificationResultEdge], { description: 'The results with their places' })
  edges!: readonly VerificationResultEdge[]
  @Field(() => [VerificationResult], { description: 'The results' })
  nodes!: readonly VerificationResult[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  @Field(() => Int, { description: 'All results of the caller that wait' })
  totalCount?: number
}

@ObjectType({ description: 'A verification in a list' })
export class VerificationJobEdge {
  @Field(() => VerificationJob, { description: 'The verification' })
  node!: VerificationJob
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
}

@ObjectType({ description: 'A page of verifications' })
export class VerificationJobConnection implements Counted {
  @Field(() => [VerificationJobEdge], { description: 'The verifications with their places' })
  edges!: readonly VerificationJobEdge[]
  @Field(() => [VerificationJob], { description: 'The verifications' })
  nodes!: readonly VerificationJob[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'What the queue and its workers do now, over all callers' })
export class VerificationQueue {
  @Field(() => Int, { description: 'Jobs that wait' })
  depth!: number
  @Field(() => Int, { description: 'Jobs that run' })
  processing!: number
  @Field(() => Int, { description: 'Finished jobs that nobody has acknowledged' })
  ready!: number
  @Field(() => Int, { description: 'Worker processes seen within 15 s' })
  workersActive!: number
}

@ObjectType({ description: 'A model and its version' })
export class ModelVersion {
  @Field(() => String, { description: 'What the model does' })
  name!: string
  @Field(() => String, { description: 'Which one it is' })
  version!: string
}

@ObjectType({ description: 'Version of the verification service' })
export class VerificationVersion {
  @Field(() => String, { description: 'Name of the service' })
  name!: string
  @Field(() => String, { description: 'Version of the service' })
  version!: string
  @Field(() => String, { description: 'Version of the documented interface' })
  apiVersion!: string
  @Field(() => String, { description: 'The revision it was built from, or "unknown"' })
  commit!: string
  @Field(() => [ModelVersion], { description: 'The models in use' })
  models!: readonly ModelVersion[]
}

@ObjectType({ description: 'An accepted job and its place in the queue' })
export class SubmitVerificationPayload {
  @Field(() => VerificationJob, { description: 'The job' })
  job!: VerificationJob
  @Field(() => Int, { description: 'Jobs that start before it' })
  queuePosition!: number
  @Field(() => Int, { description: 'Seconds until it is done, from the workers’ moving average; 0 while that is not known' })
  estimatedWaitSeconds!: number
}

@ObjectType({ description: 'An accepted batch' })
export class SubmitVerificationBatchPayload {
  @Field(() => VerificationBatch, { description: 'The batch' })
  batch!: VerificationBatch
  @Field(() => [VerificationJob], { description: 'Its jobs, in the order given' })
  jobs!: readonly VerificationJob[]
  @Field(() => Int, { description: 'Jobs in the batch' })
  total!: number
  @Field(() => Int, { description: 'Jobs accepted: all of them' })
  queued!: number
  @Field(() => Int, { description: 'Jobs that wait now, of all callers' })
  queueDepth!: number
}

@ObjectType({ description: 'What an acknowledgement did' })
export class AcknowledgeVerificationResultsPayload {
  @Field(() => Int, { description: 'Results erased now' })
  acknowledged!: number
  @Field(() => [ID], { description: 'The jobs (VerificationJob) whose results were erased now: caches give those up' })
  acknowledgedJobIds!: readonly string[]
  @Field(() => Int, { description: 'Distinct ids that are unknown, foreign, unfinished or acknowledged before' })
  notFound!: number
}

@ObjectType({ description: 'What an erasure did' })
export class EraseCitizenPayload {
  @Field(() => Citizen, { description: 'Who was erased' })
  citizen!: Citizen
  @Field(() => Int, { description: 'Jobs erased, of all callers and in every state' })
  erasedJobs!: number
  @Field(() => [ID], { description: 'Their ids (VerificationJob): caches give them up' })
  erasedJobIds!: readonly string[]
}

@ObjectType({ description: 'A job became final' })
export class VerificationFinished {
  @Field(() => Int, { description: 'Position in the feed; give it as `after` to go on from here' })
  seq!: number
  @Field(() => FinishedKind, { description: 'What has happened' })
  kind!: FinishedKind
  @Field(() => VerificationJob, { nullable: true, description: 'The job; null when events were missed' })
  job!: VerificationJob | null
}
