import { ArgsType, Field, ID, InputType, Int } from 'type-graphql'
import { InvalidInput } from '../../../foundation/fault.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { pageArguments } from '../../../foundation/graphql/page-window.ts'
import { outOfRange, tooLong, type Violation } from '../../../foundation/validation/violation.ts'
import type { Reason } from '../checks/reasons.ts'
import type { NewDecision } from '../review/decision/decide-review.ts'
import { ReviewDecision, ReviewReason } from '../vocabulary.ts'
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

@InputType({ description: 'The decision of a reviewer on a job that they have claimed.' })
export class DecideReviewInput {
  @Field(() => ID, { description: 'Id of the job.' })
  jobId!: string
  @Field(() => ReviewDecision, { description: 'The decision.' })
  decision!: ReviewDecision
  @Field(() => ReviewReason, { description: 'Reason for the decision: CONFIRMED for VERIFIED, any other for REJECTED.' })
  reason!: ReviewReason
  @Field(() => String, { nullable: true, description: 'Note for later audits, at most 2,000 characters; stored encrypted.' })
  note?: string | null
}

/** @throws {InvalidInput} naming the argument; those outside `filter` are ignored beside it */
export function checkQueue({ filter, minAgeMinutes: former }: ReviewQueueArgs): void {
  const age = filter == null ? former : filter.minAgeMinutes
  if (age != null && (age < 0 || age > maxAgeMinutes)) refuse([outOfRange(['minAgeMinutes'], 0, maxAgeMinutes)])
}

/** @throws {InvalidInput} naming the field */
export function newDecision({ jobId, decision, reason, note = null }: DecideReviewInput): NewDecision {
  refuse([
    ...((decision === ReviewDecision.VERIFIED) === (reason === ReviewReason.CONFIRMED)
      ? []
      : [{ code: 'invalid', path: ['reason'], message: 'CONFIRMED requires VERIFIED; every other reason requires REJECTED' } as const]),
    ...(note !== null && note.length > maxNoteCharacters ? [tooLong(['note'], maxNoteCharacters)] : []),
  ])
  return { jobId, decision, reason, note: note === '' ? null : note }
}

function refuse(violations: readonly Violation[]): void {
  const [first] = violations
  if (first !== undefined)
    throw new InvalidInput(violations.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '), violations)
}
