import { ArgsType, Field, ID, InputType, Int } from 'type-graphql'
import { InvalidInput } from '../../../foundation/fault.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { pageArguments } from '../../../foundation/graphql/page-window.ts'
import { outOfRange, tooLong, type Violation } from '../../../foundation/validation/violation.ts'
import type { Reason } from '../checks/reasons.ts'
import type { NewDecision } from '../review/decision/decide-review.ts'
import type { JobRow } from '../tables.ts'
import { DocumentType, ReviewDecision, ReviewReason } from '../vocabulary.ts'
import { VerificationReason } from './cross-validations.type.ts'

const maxNoteCharacters = 2000
/** page sizes of the review queue */
export const reviewsOfPage = { defaultSize: 20, maxSize: 100 } as const
const maxAgeMinutes = 10 * 365 * 24 * 60

@InputType({ description: 'Filter for the review queue.' })
export class ReviewFilterInput {
  @Field(() => VerificationReason, { nullable: true, description: 'Returns only jobs that have this reason.' })
  reason?: Reason | null
  @Field(() => Int, { nullable: true, description: 'Returns only jobs that have waited at least this number of minutes.' })
  minAgeMinutes?: number | null
  @Field(() => DocumentType, { nullable: true, description: 'Returns only jobs with this kind of document.' })
  documentType?: JobRow['documentType'] | null
  @Field(() => String, { nullable: true, description: 'Returns only jobs with this issuing country, as submitted.' })
  countryCode?: string | null
  @Field(() => Boolean, { nullable: true, description: 'If true, returns only jobs that the caller has claimed.' })
  claimedByMe?: boolean | null
}

@ArgsType()
export class ReviewQueueArgs extends pageArguments(reviewsOfPage) {
  @Field(() => ReviewFilterInput, { nullable: true, description: 'Restricts the list.' })
  filter?: ReviewFilterInput | null
  @Field(() => VerificationReason, { nullable: true, description: 'Former place of `filter.reason`.', ...deprecated('filter') })
  reason?: Reason | null
  @Field(() => Int, { nullable: true, description: 'Former place of `filter.minAgeMinutes`.', ...deprecated('filter') })
  minAgeMinutes?: number | null
}

@InputType({ description: 'The job to claim.' })
export class ClaimReviewInput {
  @Field(() => ID, { description: 'Id of the job.' })
  jobId!: string
}

@InputType({ description: 'The job to release.' })
export class ReleaseReviewInput {
  @Field(() => ID, { description: 'Id of the job.' })
  jobId!: string
}

@InputType({ description: 'The job whose held decision is made final.' })
export class SendReviewDecisionInput {
  @Field(() => ID, { description: 'Id of the job.' })
  jobId!: string
}

@InputType({ description: 'The job whose held decision is withdrawn.' })
export class UndoReviewDecisionInput {
  @Field(() => ID, { description: 'Id of the job.' })
  jobId!: string
}

@InputType({ description: 'The decision of a reviewer on a job that they have claimed.' })
export class DecideReviewInput {
  @Field(() => ID, { description: 'Id of the job.' })
  jobId!: string
  @Field(() => ReviewDecision, { description: 'The decision.' })
  decision!: ReviewDecision
  @Field(() => ReviewReason, {
    description: 'Reason for the decision: CONFIRMED for VERIFIED, BETTER_PHOTOGRAPHS for BETTER_PHOTOGRAPHS, any other for REJECTED.',
  })
  reason!: ReviewReason
  @Field(() => String, { nullable: true, description: 'Note for later audits, at most 2,000 characters; stored encrypted.' })
  note?: string | null
}

/** @throws {InvalidInput} naming the argument; those outside `filter` are ignored beside it */
export function checkQueue({ filter, minAgeMinutes: former }: ReviewQueueArgs): void {
  const age = filter == null ? former : filter.minAgeMinutes
  if (age != null && (age < 0 || age > maxAgeMinutes)) refuse([outOfRange(['minAgeMinutes'], 0, maxAgeMinutes)])
}

/** Returns the decision that a reason belongs to. */
const decisionWith = (reason: ReviewReason): ReviewDecision => {
  if (reason === ReviewReason.CONFIRMED) return ReviewDecision.VERIFIED
  return reason === ReviewReason.BETTER_PHOTOGRAPHS ? ReviewDecision.BETTER_PHOTOGRAPHS : ReviewDecision.REJECTED
}

/** @throws {InvalidInput} naming the field */
export function newDecision({ jobId, decision, reason, note = null }: DecideReviewInput): NewDecision {
  refuse([
    ...(decisionWith(reason) === decision
      ? []
      : [
          {
            code: 'mismatch',
            path: ['reason'],
            message: `This reason requires the decision ${decisionWith(reason).toUpperCase()}`,
          } as const,
        ]),
    ...(note !== null && note.length > maxNoteCharacters ? [tooLong(['note'], maxNoteCharacters)] : []),
  ])
  return { jobId, decision, reason, note: note === '' ? null : note }
}

function refuse(violations: readonly Violation[]): void {
  const [first] = violations
  if (first !== undefined)
    throw new InvalidInput(violations.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '), violations)
}
