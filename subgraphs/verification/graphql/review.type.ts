import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { Administrator } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateScalar, DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import type { ReadValues } from '../assessment/read-values.ts'
import type { Reason } from '../checks/reasons.ts'
import type { DeclaredIdentity, ImageMember } from '../submission/submission.ts'
import type { JobRow, ReviewRow } from '../tables.ts'
import { DeclaredGender, DocumentType, Gender, ImageName, ReviewDecision, ReviewReason, ReviewState } from '../vocabulary.ts'
import { CrossValidations, VerificationReason, VerificationScores } from './cross-validations.type.ts'
import { Citizen, VerificationJob } from './verification.type.ts'

registerEnum(ReviewDecision, {
  name: 'ReviewDecision',
  description: 'Decision of a reviewer.',
  values: {
    VERIFIED: 'The identity is verified.',
    REJECTED: 'The identity is rejected.',
    BETTER_PHOTOGRAPHS: 'Better photographs are requested; the outcome stays PENDING_REVIEW.',
  },
})
registerEnum(ReviewReason, {
  name: 'ReviewReason',
  description: 'Reason for a decision.',
  values: {
    CONFIRMED: 'The identity is confirmed; for VERIFIED only.',
    OTHER_PERSON: 'The selfie shows another person than the document.',
    DOCUMENT_FORGED: 'The document is forged.',
    DOCUMENT_EXPIRED: 'The document has expired.',
    DOCUMENT_UNUSABLE: 'The document cannot be used.',
    DATA_CONTRADICTED: 'The document contradicts the declared identity.',
    BETTER_PHOTOGRAPHS: 'The photographs do not suffice; for BETTER_PHOTOGRAPHS only.',
    DUPLICATE: 'The citizen is already registered under another code.',
    OTHER: 'Another reason for rejection.',
  },
})
registerEnum(ReviewState, {
  name: 'ReviewState',
  description: 'State of a review.',
  values: {
    WAITING: 'The job waits for a decision.',
    HELD: 'The job is decided, and the decision can be undone; its result is not sent yet.',
    DECIDED: 'The decision is the result of the job.',
    LAPSED: 'The images were erased before a decision.',
  },
})
registerEnum(ImageName, {
  name: 'VerificationImage',
  description: 'An image of a submission.',
  values: {
    SELFIE: 'Photograph of the citizen.',
    DOCUMENT_FRONT: 'Front of the document.',
    DOCUMENT_BACK: 'Back of the document.',
  },
})

@ObjectType({ description: 'The claim of a reviewer on a job.' })
export class ReviewClaim {
  @Field(() => Boolean, { description: 'Whether the caller holds the claim.' })
  isMine!: boolean
  @Field(() => DateTime, { description: 'Time at which the claim expires, by the database clock; claiming again extends it.' })
  until!: Date
}

@ObjectType({ description: 'A job that waits for a review.' })
export class ReviewCase {
  @Field(() => VerificationJob, { nullable: true, description: 'The job; fields other than `id` require the permission to read jobs.' })
  job!: Pick<VerificationJob, 'id'>
  @Field(() => Citizen, { description: 'The citizen whose identity is verified.' })
  citizen!: Citizen
  @Field(() => DocumentType, { description: 'Kind of document.' })
  documentType!: JobRow['documentType']
  @Field(() => String, { description: 'Issuing country as submitted.' })
  countryCode!: string
  @Field(() => [VerificationReason], { description: 'Findings against the verification, most serious first.' })
  reasons!: readonly Reason[]
  @Field(() => DateTime, { description: 'Time since which the job waits for a review.' })
  waitingSince!: Date
  @Field(() => ReviewClaim, { nullable: true, description: 'The current claim; null when no reviewer has claimed the job.' })
  claim!: ReviewClaim | null
}

@ObjectType({ description: 'An edge of `ReviewCaseConnection`: a job that waits for a review, and its cursor.' })
export class ReviewCaseEdge {
  @Field(() => ReviewCase, { description: 'The job.' })
  node!: ReviewCase
  @Field(() => String, { description: 'Cursor of the job.' })
  cursor!: string
}

@ObjectType({ description: 'A page of jobs that wait for a review, longest waiting first.' })
export class ReviewCaseConnection implements CountablePage {
  @Field(() => [ReviewCaseEdge], { description: 'The jobs of the page with their cursors.' })
  edges!: readonly ReviewCaseEdge[]
  @Field(() => [ReviewCase], { description: 'The jobs of the page.' })
  nodes!: readonly ReviewCase[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@ObjectType({ description: 'Result of `claimReview`.' })
export class ClaimReviewPayload {
  @Field(() => ReviewCase, { description: 'The claimed job, with what a reviewer sees.' })
  review!: ReviewCase
}

@ObjectType({ description: 'Result of `releaseReview`.' })
export class ReleaseReviewPayload {
  @Field(() => ID, { description: 'Id of the job.' })
  jobId!: string
  @Field(() => Boolean, { description: 'Whether the caller held a claim on the job.' })
  released!: boolean
}

@ObjectType({ description: 'Result of `decideReview`.' })
export class DecideReviewPayload {
  @Field(() => VerificationJob, { nullable: true, description: 'The job; fields other than `id` require the permission to read jobs.' })
  job!: Pick<VerificationJob, 'id'>
  @Field(() => Boolean, {
    description: 'Whether the job is decided; false until a second reviewer makes the same decision, where two are required.',
  })
  settled!: boolean
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time until which `undoReviewDecision` can withdraw the decision (REVIEW_UNDO_MINUTES); then the result is sent. Null once the result was sent, and while the job is not settled.',
  })
  heldUntil!: Date | null
}

@ObjectType({ description: 'Result of `sendReviewDecision`.' })
export class SendReviewDecisionPayload {
  @Field(() => VerificationJob, { nullable: true, description: 'The job; fields other than `id` require the permission to read jobs.' })
  job!: Pick<VerificationJob, 'id'>
}

@ObjectType({ description: 'Result of `undoReviewDecision`.' })
export class UndoReviewDecisionPayload {
  @Field(() => ReviewCase, { description: 'The job, which waits again and is claimed by the caller.' })
  review!: ReviewCase
  @Field(() => String, { nullable: true, description: 'Note of the withdrawn decision; null when it had none.' })
  note!: string | null
}

@ObjectType({ description: 'A decision of the caller.' })
export class OwnReviewDecision {
  @Field(() => VerificationJob, { nullable: true, description: 'The job; fields other than `id` require the permission to read jobs.' })
  job!: Pick<VerificationJob, 'id'>
  @Field(() => Citizen, { description: 'The citizen whose identity is verified.' })
  citizen!: Citizen
  @Field(() => ReviewDecision, { description: 'The decision.' })
  decision!: ReviewDecision
  @Field(() => ReviewReason, { description: 'Reason for the decision.' })
  reason!: ReviewReason
  @Field(() => DateTime, { description: 'Time of the decision.' })
  decidedAt!: Date
  @Field(() => ReviewState, { description: 'State of the review; WAITING while another reviewer must decide.' })
  state!: ReviewRow['state']
  @Field(() => DateTime, { nullable: true, description: 'Time until which the decision can be undone; null when it cannot.' })
  heldUntil!: Date | null
}

@ObjectType({ description: 'Data that was read from a document; a field is null when it could not be read.' })
export class ReadIdentity implements ReadValues {
  @Field(() => String, { nullable: true, description: 'Given names.' })
  firstName?: string
  @Field(() => String, { nullable: true, description: 'Family name.' })
  lastName?: string
  @Field(() => String, { nullable: true, description: 'Date of birth.' })
  dateOfBirth?: string
  @Field(() => String, { nullable: true, description: 'Sex as stated on the document: M, F or X.' })
  sex?: string
  @Field(() => String, { nullable: true, description: 'Nationality as a code or name.' })
  nationality?: string
  @Field(() => String, { nullable: true, description: 'Date of expiry.' })
  expiryDate?: string
  @Field(() => String, { nullable: true, description: 'Document number.' })
  documentNumber?: string
}

@ObjectType({
  description: 'Position of a face in an image whose EXIF orientation was applied, as shares of the image’s width and height, 0 to 1.',
})
export class FaceArea {
  @Field(() => Float, { description: 'Distance of the left edge from that of the image.' })
  x!: number
  @Field(() => Float, { description: 'Distance of the upper edge from that of the image.' })
  y!: number
  @Field(() => Float, { description: 'Width.' })
  width!: number
  @Field(() => Float, { description: 'Height.' })
  height!: number
  @Field(() => Int, { description: 'Clockwise rotation of the image that makes the face upright, in degrees: 0, 90, 180 or 270.' })
  turn!: number
}

@ObjectType({ description: 'Address of an image, valid for the reviewer who requested it while their claim lasts.' })
export class ReviewImage {
  @Field(() => ImageName, { description: 'The image.' })
  image!: ImageMember
  @Field(() => FaceArea, {
    nullable: true,
    description: 'Place of the face that was compared; null when no face was found, and for jobs of earlier releases.',
  })
  face!: FaceArea | null
  @Field(() => String, { description: 'Absolute URL (REST_PUBLIC_URLS); requires the same access token.' })
  url!: string
  @Field(() => String, {
    description: 'Path of `url`.',
    ...deprecated('url'),
  })
  path!: string
  @Field(() => DateTime, { description: 'Time at which the address expires.' })
  expiresAt!: Date
}

@ObjectType({ description: 'Address of a frame of a liveness challenge, valid like that of an image.' })
export class ReviewFrame {
  @Field(() => Int, {
    description: 'Time of the frame in milliseconds since the client received the challenge, by the clock of the client.',
  })
  atMs!: number
  @Field(() => String, { description: 'Absolute URL (REST_PUBLIC_URLS); requires the same access token.' })
  url!: string
  @Field(() => String, {
    description: 'Path of `url`.',
    ...deprecated('url'),
  })
  path!: string
  @Field(() => DateTime, { description: 'Time at which the address expires.' })
  expiresAt!: Date
}

@ObjectType({ description: 'The identity that the citizen declared.' })
export class ReviewedIdentity implements DeclaredIdentity {
  @Field(() => String, { description: 'Given names.' })
  firstName!: string
  @Field(() => String, { description: 'Family name.' })
  lastName!: string
  @Field(() => String, { nullable: true, description: 'Date of birth as declared; null when not declared.' })
  dateOfBirth!: string | null
  @Field(() => Gender, { nullable: true, description: 'Gender; null when not declared.' })
  declaredGender!: DeclaredIdentity['gender']
  @Field(() => DeclaredGender, { nullable: true, description: 'Former form of `declaredGender`.', ...deprecated('declaredGender') })
  gender!: DeclaredIdentity['gender']
  @Field(() => String, { nullable: true, description: 'Nationality as declared; null when not declared.' })
  nationality!: string | null
}

@ObjectType({ description: 'The images and data of a job that a reviewer assesses.' })
export class ReviewImages {
  @Field(() => [ReviewImage], { description: 'The images, each with an address that is valid for one minute.' })
  images!: readonly ReviewImage[]
  @Field(() => [ReviewFrame], {
    description: 'The frames of the liveness challenge in order of time; frames that are not images are omitted.',
  })
  frames!: readonly ReviewFrame[]
  @Field(() => [Citizen], {
    description: 'Other citizens of the same caller whose faces are similar; erased citizens are omitted.',
  })
  possibleDuplicates!: readonly Citizen[]
  @Field(() => ReviewedIdentity, { description: 'The identity that the citizen declared.' })
  declaredIdentity!: ReviewedIdentity
  @Field(() => ReadIdentity, {
    nullable: true,
    description: 'Data read from the printed text of the document; null when none was read, and for jobs of earlier releases.',
  })
  printedIdentity!: ReadIdentity | null
  @Field(() => ReadIdentity, {
    nullable: true,
    description: 'Data read from the machine-readable zone; null when none was read, and for jobs of earlier releases.',
  })
  machineReadableIdentity!: ReadIdentity | null
  @Field(() => CrossValidations, { nullable: true, description: 'Results of the automatic checks; null when no check ran.' })
  crossValidations!: CrossValidations | null
  @Field(() => VerificationScores, { nullable: true, description: 'Scores of the automatic checks; null when no check ran.' })
  scores!: VerificationScores | null
}

@ObjectType({ description: 'The file of an image.' })
export class ReviewImageFile {
  @Field(() => ID, { description: 'Id of the file.' })
  id!: string
  @Field(() => Int, { description: 'Size of the file in bytes.' })
  bytes!: number
  @Field(() => String, { description: 'Media type of the file.' })
  mediaType!: string
}

@ObjectType({ description: 'The decision of one reviewer.' })
export class DecidedReview {
  @Field(() => Administrator, {
    nullable: true,
    description: 'The reviewer; fields other than `id` require the role SUPER_ADMIN or being that reviewer.',
  })
  reviewer!: Administrator
  @Field(() => ReviewDecision, { description: 'The decision.' })
  decision!: ReviewDecision
  @Field(() => ReviewReason, { description: 'Reason for the decision.' })
  reason!: ReviewReason
  @Field(() => String, { nullable: true, description: 'Note of the reviewer; null when there is no note.' })
  note!: string | null
  @Field(() => DateTime, { description: 'Time of the decision.' })
  decidedAt!: Date
}

@ObjectType({ description: 'Decisions on one day (UTC).' })
export class ReviewDay {
  @Field(() => DateScalar, { description: 'The date.' })
  day!: string
  @Field(() => Int, { description: 'Number of jobs decided as VERIFIED.' })
  verified!: number
  @Field(() => Int, { description: 'Number of jobs decided as REJECTED.' })
  rejected!: number
}

@ObjectType({ description: 'Figures of the review queue.' })
export class ReviewMetrics {
  @Field(() => Int, { description: 'Number of jobs that wait for a review.' })
  waiting!: number
  @Field(() => Int, { description: 'Number of waiting jobs that a reviewer has claimed.' })
  claimed!: number
  @Field(() => Float, { description: 'Waiting time of the oldest job in seconds; 0 when no job waits.' })
  oldestSeconds!: number
  @Field(() => [ReviewDay], { description: 'Days with at least one decision, latest first.' })
  days!: readonly ReviewDay[]
  @Field(() => Int, { description: 'Number of jobs decided on these days in which faces were compared.' })
  compared!: number
  @Field(() => Int, { description: 'Number of compared jobs in which the face score and the reviewers agree.' })
  agreed!: number
}
