import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { LivenessStep, type Step } from '../vocabulary.ts'

@ObjectType({ description: 'Movements that the citizen performs in front of the camera, in order.' })
export class LivenessChallenge {
  @Field(() => ID, { description: 'Identifies the challenge when the frames are submitted; valid for one job of this caller and citizen.' })
  nonce!: string
  @Field(() => [LivenessStep], { description: 'Three different movements.' })
  steps!: readonly Step[]
  @Field(() => DateTime, { description: 'Time by which the job must be submitted, by the database clock.' })
  expiresAt!: Date
  @Field(() => Int, { description: 'Maximum number of frames in a submission.' })
  maxFrames!: number
}

@ObjectType({ description: 'Result of `startLivenessChallenge`.' })
export class StartLivenessChallengePayload {
  @Field(() => LivenessChallenge, { description: 'The challenge.' })
  challenge!: LivenessChallenge
}
