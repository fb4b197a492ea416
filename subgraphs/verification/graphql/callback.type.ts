import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import type { CallbackRow } from '../tables.ts'
import { CallbackState, CallbackType } from '../vocabulary.ts'
import { VerificationJob } from './verification.type.ts'

registerEnum(CallbackState, {
  name: 'CallbackState',
  description: 'State of a callback.',
  values: {
    PENDING: 'The callback waits for an attempt at `nextAttemptAt`.',
    DELIVERED: 'The receiver accepted the callback.',
    REFUSED: 'The platform does not send callbacks to this URL.',
    FAILED: 'Ten attempts failed.',
    STOPPED: 'The receiver responded with 410 (Gone).',
  },
})

registerEnum(CallbackType, {
  name: 'CallbackType',
  description: 'Message type of a callback.',
  values: {
    COMPLETED: '`verification.job.completed`: the job has a result.',
    FAILED: '`verification.job.failed`: the job ended with an error.',
  },
})

@ObjectType({ description: 'Why an attempt to deliver a callback failed.' })
export class CallbackFailure {
  @Field(() => String, { description: 'Machine-readable cause, such as `timeout`.' })
  code!: string
  @Field(() => String, { description: 'The cause as a sentence.' })
  message!: string
}

@ObjectType({ description: 'One delivery attempt of a callback.' })
export class CallbackAttempt {
  @Field(() => Int, { description: 'Number of the attempt, from 1; redeliveries continue the count.' })
  number!: number
  @Field(() => DateTime, { description: 'Time at which the attempt started.' })
  at!: Date
  @Field(() => Int, { description: 'Duration of the attempt in milliseconds.' })
  durationMs!: number
  @Field(() => Int, { nullable: true, description: 'HTTP status of the receiver’s response; null when no response arrived.' })
  statusCode!: number | null
  @Field(() => String, {
    nullable: true,
    description: 'Reason for the failure, as "<code>: <sentence>"; null when the callback was delivered.',
    ...deprecated('failure'),
  })
  reason!: string | null
  @Field(() => CallbackFailure, { nullable: true, description: 'Reason for the failure; null when the callback was delivered.' })
  failure!: CallbackFailure | null
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'The callback of a finished job and its delivery state.' })
export class CallbackDelivery {
  @Field(() => ID, { description: 'Id of the callback; the receiver sees it as `webhook-id`.' })
  id!: string
  @Field(() => VerificationJob, { description: 'The job that the callback reports.' })
  job!: VerificationJob
  @Field(() => String, { description: 'URL that receives the callback: the `callback_url` of the job.' })
  url!: string
  @Field(() => CallbackType, { description: 'Type of the message.' })
  type!: CallbackType
  @Field(() => CallbackState, { description: 'Delivery state.' })
  state!: CallbackRow['state']
  @Field(() => DateTime, { description: 'Time at which the job became final.' })
  createdAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time of the next attempt; null when no further attempt is scheduled.' })
  nextAttemptAt!: Date | null
  @Field(() => [CallbackAttempt], { description: 'The most recent attempts, at most 25, oldest first.' })
  attempts!: readonly CallbackAttempt[]
}

@ObjectType({ description: 'An edge of `CallbackDeliveryConnection`: a callback and its cursor.' })
export class CallbackDeliveryEdge {
  @Field(() => CallbackDelivery, { description: 'The callback.' })
  node!: CallbackDelivery
  @Field(() => String, { description: 'Cursor of the callback.' })
  cursor!: string
}

@ObjectType({ description: 'A page of callbacks, newest first.' })
export class CallbackDeliveryConnection implements CountablePage {
  @Field(() => [CallbackDeliveryEdge], { description: 'The callbacks of the page with their cursors.' })
  edges!: readonly CallbackDeliveryEdge[]
  @Field(() => [CallbackDelivery], { description: 'The callbacks of the page.' })
  nodes!: readonly CallbackDelivery[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Filter for callbacks.' })
export class CallbackDeliveryFilterInput {
  @Field(() => ID, { nullable: true, description: 'Returns only the callback of this job.' })
  jobId?: string | null
  @Field(() => CallbackState, { nullable: true, description: 'Returns only callbacks in this state.' })
  state?: CallbackRow['state'] | null
}

@InputType({ description: 'The callback to send again.' })
export class RedeliverCallbackInput {
  @Field(() => ID, { description: 'Id of the callback, or id of its job.' })
  id!: string
}

@ObjectType({ description: 'Result of `redeliverCallback`.' })
export class RedeliverCallbackPayload {
  @Field(() => CallbackDelivery, { description: 'The callback; its next attempt is due now.' })
  delivery!: CallbackDelivery
}
