import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import type { CallbackRow } from '../tables.ts'
import { CallbackState, CallbackType } from '../vocabulary.ts'
import { VerificationJob } from './verification.type.ts'

registerEnumType(CallbackState, {
  name: 'CallbackState',
  description:
    'PENDING: tried at nextAttemptAt; REFUSED: we do not send there; FAILED: ten tries in vain; STOPPED: the receiver answered 410',
})

registerEnumType(CallbackType, {
  name: 'CallbackType',
  description: 'The type of its message. COMPLETED: verification.job.completed; FAILED: verification.job.failed',
})

@ObjectType({ description: 'One try of a callback' })
export class CallbackAttempt {
  @Field(() => Int, { description: 'Counts from 1, over redeliveries too' })
  number!: number
  @Field(() => DateTime, { description: 'When it began' })
  at!: Date
  @Field(() => Int, { description: 'How long it took' })
  durationMs!: number
  @Field(() => Int, { nullable: true, description: 'Status of the answer; null when there was none' })
  statusCode!: number | null
  @Field(() => String, { nullable: true, description: '"<code>: <sentence>"; null when it was delivered' })
  reason!: string | null
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'The callback of a finished job and what became of it' })
export class CallbackDelivery {
  @Field(() => ID, { description: 'The webhook-id that its receiver sees' })
  id!: string
  @Field(() => VerificationJob, { description: 'The job it tells about' })
  job!: VerificationJob
  @Field(() => String, { description: 'Where it goes: the callback_url' })
  url!: string
  @Field(() => CallbackType, { description: 'What it tells' })
  type!: CallbackType
  @Field(() => CallbackState, { description: 'Where it stands' })
  state!: CallbackRow['state']
  @Field(() => DateTime, { description: 'When the job became final' })
  createdAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'When it is tried next; null once it is not' })
  nextAttemptAt!: Date | null
  @Field(() => [CallbackAttempt], { description: 'Its latest tries, at most 25, oldest first' })
  attempts!: readonly CallbackAttempt[]
}

@ObjectType({ description: 'A callback in a list' })
export class CallbackDeliveryEdge {
  @Field(() => CallbackDelivery, { description: 'The callback' })
  node!: CallbackDelivery
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
}

@ObjectType({ description: 'Callbacks, newest first' })
export class CallbackDeliveryConnection implements Counted {
  @Field(() => [CallbackDeliveryEdge], { description: 'The callbacks with their places' })
  edges!: readonly CallbackDeliveryEdge[]
  @Field(() => [CallbackDelivery], { description: 'The callbacks' })
  nodes!: readonly CallbackDelivery[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Which callback to send again' })
export class RedeliverCallbackInput {
  @Field(() => ID, { description: 'Its id, or that of its job' })
  id!: string
}

@ObjectType({ description: 'A callback that is sent again' })
export class RedeliverCallbackPayload {
  @Field(() => CallbackDelivery, { description: 'The callback, due now' })
  delivery!: CallbackDelivery
}
