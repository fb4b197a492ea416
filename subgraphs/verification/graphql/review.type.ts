import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Administrator } from '../../../foundation/graphql/administrator.type.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateScalar } from '../../../foundation/graphql/date.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import type { Reason } from '../assessment/reasons.ts'
import type { ImageMember } from '../jobs/submission/submission.ts'
import { ImageName, ReviewDecision, ReviewReason } from '../review/vocabulary.ts'
import type { JobRow } from '../tables.ts'
import { DeclaredGender, DocumentType } from '../vocabulary.ts'
import { CrossValidations, VerificationReason, VerificationScores } from './cross-validations.type.ts'
import { Citizen, VerificationJob } from './verification.type.ts'

registerEnumType(ReviewDecision, { name: 'ReviewDecision', description: 'What a person decides' })
registerEnumType(ReviewReason, {
  name: 'ReviewReason',
  description: 'Why a person decided so: CONFIRMED goes with VERIFIED, the others with REJECTED',
})
registerEnumType(ImageName, { name: 'VerificationImage', description: 'An image of a submission' })

@ObjectType({ description: 'Who looks at a job, and until when' })
export class ReviewClaim {
  @Field(() => Boolean, { description: 'Whether it is the caller' })
  isMine!: boolean
  @Field(() => DateTime, { description: 'When it ends, by the clock of the database; claiming again extends it' })
  until!: Date
}

@ObjectType({ description: 'A job that waits for a person to decide' })
export class ReviewCase {
  @Field(() => VerificationJob, { nullable: true, description: 'The job; more than its id is for those who may read jobs' })
  job!: Pick<VerificationJob, 'id'>
  @Field(() => Citizen, { description: 'Whose identity is verified' })
  citizen!: Citizen
  @Field(() => DocumentType, { description: 'Kind of document' })
  documentType!: JobRow['documentType']
  @Field(() => String, { description: 'Issuing country as given' })
  countryCode!: string
  @Field(() => [VerificationReason], { description: 'What speaks against verified, most serious first' })
  reasons!: readonly Reason[]
  @Field(() => DateTime, { description: 'Since when it waits' })
  waitingSince!: Date
  @Field(() => ReviewClaim, { nullable: true, description: 'Who looks at it; null when nobody does' })
  claim!: ReviewClaim | null
}

@ObjectType({ description: 'A job under review in a list' })
export class ReviewCaseEdge {
  @Field(() => ReviewCase, { description: 'The job' })
  node!: ReviewCase
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
}

@ObjectType({ description: 'Jobs that wait for a person to decide, longest waiting first' })
export class ReviewCaseConnection implements Counted {
  @Field(() => [ReviewCaseEdge], { description: 'The jobs with their places' })
  edges!: readonly ReviewCaseEdge[]
  @Field(() => [ReviewCase], { description: 'The jobs' })
  nodes!: readonly ReviewCase[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'A job that the caller has claimed' })
export class ClaimReviewPayload {
  @Field(() => ReviewCase, { description: 'The job' })
  review!: ReviewCase
}

@ObjectType({ description: 'What giving a job back did' })
export class ReleaseReviewPayload {
  @Field(() => ID, { description: 'Id of the job' })
  jobId!: string
  @Field(() => Boolean, { description: 'Whether the caller had it' })
  released!: boolean
}

@ObjectType({ description: 'What became of a decision' })
export class DecideReviewPayload {
  @Field(() => VerificationJob, { nullable: true, description: 'The job; more than its id is for those who may read jobs' })
  job!: Pick<VerificationJob, 'id'>
  @Field(() => Boolean, { description: 'Whether it is decided; false until a second person decides alike, where that is asked for' })
  settled!: boolean
}

@ObjectType({ description: 'Where an image is, for the person who asked, while their claim lasts' })
export class ReviewImage {
  @Field(() => ImageName, { description: 'Which one it is' })
  image!: ImageMember
  @Field(() => String, { description: 'Path below the address of component A, asked for with the same access token' })
  path!: string
  @Field(() => DateTime, { description: 'When the address ends' })
  expiresAt!: Date
}

@ObjectType({ description: 'A frame of a challenge, and where it is, as an image of the submission is' })
export class ReviewFrame {
  @Field(() => Int, { description: 'When it was taken, as it was submitted: ms since the client had the challenge, by its clock' })
  atMs!: number
  @Field(() => String, { description: 'Path below the address of component A, asked for with the same access token' })
  path!: string
  @Field(() => DateTime, { description: 'When the address ends' })
  expiresAt!: Date
}

@ObjectType({ description: 'Who the citizen says to be' })
export class ReviewedIdentity {
  @Field(() => String, { description: 'Given names' })
  firstName!: string
  @Field(() => String, { description: 'Family name' })
  lastName!: string
  @Field(() => String, { nullable: true, description: 'Date of birth as declared' })
  dateOfBirth!: string | null
  @Field(() => DeclaredGender, { nullable: true, description: 'Gender' })
  gender!: (typeof DeclaredGender)[keyof typeof DeclaredGender] | null
  @Field(() => String, { nullable: true, description: 'Nationality as declared' })
  nationality!: string | null
}

@ObjectType({ description: 'What a person decides on' })
export class ReviewImages {
  @Field(() => [ReviewImage], { description: 'The images, each at an address that is good for a minute' })
  images!: readonly ReviewImage[]
  @Field(() => [ReviewFrame], { description: 'The frames of a challenge, in the order of time; what is no picture is left out' })
  frames!: readonly ReviewFrame[]
  @Field(() => [Citizen], {
    description: 'Other citizens of the same caller who may be the same person, by the likeness of faces; who was erased is left out',
  })
  possibleDuplicates!: readonly Citizen[]
  @Field(() => ReviewedIdentity, { description: 'Who the citizen says to be' })
  declaredIdentity!: ReviewedIdentity
  @Field(() => CrossValidations, { nullable: true, description: 'What the machine checked' })
  crossValidations!: CrossValidations | null
  @Field(() => VerificationScores, { nullable: true, description: 'Its scores' })
  scores!: VerificationScores | null
}

@ObjectType({ description: 'An image as its address names it' })
export class ReviewImageFile {
  @Field(() => ID, { description: 'Id of the file' })
  id!: string
  @Field(() => Int, { description: 'Its length' })
  bytes!: number
  @Field(() => String, { description: 'Its media type' })
  mediaType!: string
}

@ObjectType({ description: 'The decision of one person' })
export class DecidedReview {
  @Field(() => Administrator, { nullable: true, description: 'Who decided; more than the id is for themselves and super_admins' })
  reviewer!: Administrator
  @Field(() => ReviewDecision, { description: 'What they decided' })
  decision!: ReviewDecision
  @Field(() => ReviewReason, { description: 'Why' })
  reason!: ReviewReason
  @Field(() => String, { nullable: true, description: 'What they wrote about it' })
  note!: string | null
  @Field(() => DateTime, { description: 'When' })
  decidedAt!: Date
}

@ObjectType({ description: 'Decisions of one day (UTC)' })
export class ReviewDay {
  @Field(() => DateScalar, { description: 'The day' })
  day!: string
  @Field(() => Int, { description: 'Jobs decided as verified' })
  verified!: number
  @Field(() => Int, { description: 'Jobs decided as rejected' })
  rejected!: number
}

@ObjectType({ description: 'How the review by people goes' })
export class ReviewMetrics {
  @Field(() => Int, { description: 'Jobs that wait' })
  waiting!: number
  @Field(() => Int, { description: 'Of these, jobs that somebody looks at' })
  claimed!: number
  @Field(() => Float, { description: 'Seconds that the oldest has waited; 0 when none waits' })
  oldestSeconds!: number
  @Field(() => [ReviewDay], { description: 'Days on which something was decided, the latest first' })
  days!: readonly ReviewDay[]
  @Field(() => Int, { description: 'Jobs decided on these days in which faces were compared' })
  compared!: number
  @Field(() => Int, { description: 'Of these, jobs in which the likeness of the faces lay on the side that people decided for' })
  agreed!: number
}
