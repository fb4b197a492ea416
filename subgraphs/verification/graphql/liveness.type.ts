import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { LivenessStep, type Step } from '../liveness/vocabulary.ts'

@ObjectType({ description: 'What a citizen is to do before the camera, in this order' })
export class LivenessChallenge {
  @Field(() => ID, { description: 'Goes with the frames; good for one job of this caller and citizen' })
  nonce!: string
  @Field(() => [LivenessStep], { description: 'Three different steps' })
  steps!: readonly Step[]
  @Field(() => DateTime, { description: 'Until when the job must be submitted, by the clock of the database' })
  expiresAt!: Date
  @Field(() => Int, { description: 'Most frames that are taken' })
  maxFrames!: number
}

@ObjectType({ description: 'A challenge that was started' })
export class StartLivenessChallengePayload {
  @Field(() => LivenessChallenge, { description: 'The challenge' })
  challenge!: LivenessChallenge
}
