import { Field, ObjectType } from 'type-graphql'
import { Administrator } from '../../../foundation/graphql/authorisation.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { JobRow } from '../tables.ts'
import { JobEventKind, ReviewDecision, ReviewReason, VerificationOutcome } from '../vocabulary.ts'

registerEnum(JobEventKind, {
  name: 'VerificationEventKind',
  description: 'Kind of an event in the history of a job.',
  values: {
    SUBMITTED: 'A service submitted the job.',
    CHECKED: 'The automatic checks ended.',
    TAKEN: 'A reviewer claimed the job for the first time.',
    DECIDED: 'A reviewer decided.',
    COMPLETED: 'The decision became the result, and the images were erased.',
    FETCHED: 'The service received the result for the first time.',
    ACKNOWLEDGED: 'The service acknowledged the result, which was erased.',
  },
})

@ObjectType({ description: 'An event in the history of a job.' })
export class VerificationEvent {
  @Field(() => JobEventKind, { description: 'Kind of the event.' })
  kind!: JobEventKind
  @Field(() => DateTime, { description: 'Time of the event.' })
  at!: Date
  @Field(() => Administrator, { nullable: true, description: 'The reviewer; null for events that no reviewer caused.' })
  administrator!: Administrator | null
  @Field(() => String, { nullable: true, description: 'Name of the service key; null for events that no service caused.' })
  service!: string | null
  @Field(() => VerificationOutcome, { nullable: true, description: 'Outcome when the kind is CHECKED or COMPLETED; otherwise null.' })
  outcome!: JobRow['outcome']
  @Field(() => ReviewDecision, { nullable: true, description: 'The decision when the kind is DECIDED; otherwise null.' })
  decision!: ReviewDecision | null
  @Field(() => ReviewReason, { nullable: true, description: 'Reason for the decision when the kind is DECIDED; otherwise null.' })
  reason!: ReviewReason | null
  @Field(() => String, {
    nullable: true,
    description: 'Note of the reviewer when the kind is DECIDED; null for other kinds and without a note.',
  })
  note!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time until which the decision can be undone; null when it cannot.' })
  heldUntil!: Date | null
}
