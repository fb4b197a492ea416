import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql'
import type { Database } from '../../../engines/relational/database.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { ownerOf, submitters } from '../access/visibility.ts'
import { startChipChallenge } from '../chip/challenges.ts'
import { checkCitizenCode } from './submitted-jobs.ts'
import { StartChipChallengeInput } from './verification.input.ts'

@ObjectType({ description: 'A challenge for the chip of a travel document.' })
class ChipChallenge {
  @Field(() => ID, { description: 'Identifies the challenge when the job is submitted; valid for one job of this caller and citizen.' })
  nonce!: string
  @Field(() => String, { description: 'The 8 bytes for the INTERNAL AUTHENTICATE command, in base64.' })
  bytes!: string
  @Field(() => DateTime, { description: 'Time by which the job must be submitted, by the database clock.' })
  expiresAt!: Date
}

@ObjectType({ description: 'Result of `startChipChallenge`.' })
class StartChipChallengePayload {
  @Field(() => ChipChallenge, { description: 'The challenge.' })
  challenge!: ChipChallenge
}

@Resolver()
export class ChipResolver {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  @Mutation(() => StartChipChallengePayload, {
    description:
      'Issues 8 bytes for the chip of a travel document to sign (active authentication), which proves that the chip is not a copy. The job must be submitted within 10 minutes.',
  })
  @Authorise(...submitters)
  async startChipChallenge(
    @Arg('input', () => StartChipChallengeInput) { citizenCode }: StartChipChallengeInput,
    @Ctx() { principal }: RequestContext,
  ): Promise<StartChipChallengePayload> {
    checkCitizenCode(citizenCode, ['citizenCode'])
    const { nonce, bytes, expiresAt } = await startChipChallenge(this.#database, ownerOf(principal), citizenCode)
    return { challenge: { nonce, bytes: Buffer.from(bytes).toString('base64'), expiresAt } }
  }
}
