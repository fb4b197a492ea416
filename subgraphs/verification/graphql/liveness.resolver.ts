import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import type { Database } from '../../../engines/relational/database.ts'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'
import { ownerOf, submitters } from '../access/visibility.ts'
import { startChallenge } from '../liveness/challenges.ts'
import { maxFrames } from '../vocabulary.ts'
import { StartLivenessChallengePayload } from './liveness.type.ts'
import { checkCitizenCode } from './submitted-jobs.ts'
import { StartLivenessChallengeInput } from './verification.input.ts'

@Resolver()
export class LivenessResolver {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  @Mutation(() => StartLivenessChallengePayload, {
    description: 'Issues a liveness challenge: three head movements that the citizen performs. The frames must be submitted within 60 s.',
  })
  @Authorise(...submitters)
  async startLivenessChallenge(
    @Arg('input', () => StartLivenessChallengeInput) { citizenCode }: StartLivenessChallengeInput,
    @Ctx() { principal }: RequestContext,
  ): Promise<StartLivenessChallengePayload> {
    checkCitizenCode(citizenCode, ['citizenCode'])
    return { challenge: { ...(await startChallenge(this.#database, ownerOf(principal), citizenCode)), maxFrames } }
  }
}
