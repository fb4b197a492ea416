import { Field, ID, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/date-time.ts'

@ObjectType({ description: 'What the chip of a travel document is to sign' })
export class ChipChallenge {
  @Field(() => ID, { description: 'Goes with the answer; good for one job of this caller and citizen' })
  nonce!: string
  @Field(() => String, { description: 'The 8 bytes that INTERNAL AUTHENTICATE is given, in base64' })
  bytes!: string
  @Field(() => DateTime, { description: 'Until when the job must be submitted, by the clock of the database' })
  expiresAt!: Date
}

@ObjectType({ description: 'A challenge that was started' })
export class StartChipChallengePayload {
  @Field(() => ChipChallenge, { description: 'The challenge' })
  challenge!: ChipChallenge
}
