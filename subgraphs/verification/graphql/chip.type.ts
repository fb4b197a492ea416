import { Field, ID, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'

@ObjectType({ description: 'A challenge for the chip of a travel document.' })
export class ChipChallenge {
  @Field(() => ID, { description: 'Identifies the challenge when the job is submitted; valid for one job of this caller and citizen.' })
  nonce!: string
  @Field(() => String, { description: 'The 8 bytes for the INTERNAL AUTHENTICATE command, in base64.' })
  bytes!: string
  @Field(() => DateTime, { description: 'Time by which the job must be submitted, by the database clock.' })
  expiresAt!: Date
}

@ObjectType({ description: 'The challenge that was issued.' })
export class StartChipChallengePayload {
  @Field(() => ChipChallenge, { description: 'The challenge.' })
  challenge!: ChipChallenge
}
