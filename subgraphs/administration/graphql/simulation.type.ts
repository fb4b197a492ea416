import { ArgsType, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { administrators } from '../roles.ts'
import type { FiledScenario, Question } from '../simulation/scenario.ts'
import { AdministeredCitizen } from './delegation.type.ts'

/** Most changes of one kind in a scenario. */
export const maxChanges = 1000

@InputType({ description: 'A delegation that a scenario assumes; it replaces the stored delegations of the delegator.' })
export class AssumedDelegationInput {
  @Field(() => String, { description: 'Code of the citizen who delegates.' })
  delegator!: string
  @Field(() => String, { description: 'Code of the citizen who acts for the delegator.' })
  delegate!: string
}

@InputType({
  description:
    'Delegations that a scenario ignores. When the delegation that applies to a citizen is ignored, the next one in the order of `delegationSimulation` applies.',
})
export class RemovedDelegationsInput {
  @Field(() => [ID], { nullable: true, description: 'Ids of delegations, at most 1,000.' })
  ids?: readonly string[] | null
  @Field(() => [String], { nullable: true, description: 'Codes of citizens whose delegations to others are ignored, at most 1,000.' })
  delegators?: readonly string[] | null
  @Field(() => [String], { nullable: true, description: 'Codes of citizens whose delegations from others are ignored, at most 1,000.' })
  delegates?: readonly string[] | null
}

/** Which vote a simulation is about, and what it assumes. */
@InputType('ScenarioInput', {
  description: 'The vote that a scenario simulates, and its assumptions; the fields are those of the arguments of `delegationSimulation`.',
})
@ArgsType()
export class SimulationArgs {
  @Field(() => ID, {
    nullable: true,
    description: 'Domain or sub-domain of the vote; without it only delegations that are valid in all domains apply.',
  })
  domainId?: string | null
  @Field(() => String, {
    defaultValue: 'all',
    description: 'Delegated action, such as "vote". Delegations with the scope "all" apply as well; an exact scope takes precedence.',
  })
  scope!: string
  @Field(() => ID, {
    nullable: true,
    description: 'Group of the delegations; by default the delegations of all groups that the caller may read.',
  })
  groupId?: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the vote; by default now. Revoked delegations never apply.' })
  at?: Date | null
  @Field(() => Int, {
    nullable: true,
    description:
      'Number of citizens who may vote; by default the number of citizens that the delegations name. Citizens whom no delegation names cast one vote each.',
  })
  electorate?: number | null
  @Field(() => [String], {
    nullable: true,
    description: 'Codes of citizens who vote themselves although they have delegated their vote, at most 1,000.',
  })
  directVoters?: readonly string[] | null
  @Field(() => [AssumedDelegationInput], { nullable: true, description: 'Delegations that are assumed, at most 1,000.' })
  add?: readonly AssumedDelegationInput[] | null
  @Field(() => RemovedDelegationsInput, { nullable: true, description: 'Delegations that the scenario ignores.' })
  remove?: RemovedDelegationsInput | null
  @Field(() => String, {
    nullable: true,
    description:
      'Further changes as CSV with the first line `change,code,delegate`: at most 100,000 lines `add,DELEGATOR,DELEGATE`, `remove_delegator,CODE,`, `remove_delegate,CODE,`, `remove_id,ID,` or `direct_voter,CODE,`, and 8,388,608 characters. A subscription has room for a few hundred: use the query for more.',
  })
  changes?: string | null
  @Field(() => Int, { nullable: true, description: 'Maximum number of votes that one citizen may cast; votes beyond it are lost.' })
  maxWeight?: number | null
  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of steps from a citizen to the one who casts the vote; votes that need more are lost.',
  })
  maxChain?: number | null
}

export enum SimulationOrder {
  HEAVIEST_FIRST = 'weight',
  LARGEST_CHANGE_FIRST = 'change',
}
registerEnum(SimulationOrder, {
  name: 'SimulationOrder',
  description: 'Which voters a list contains, and in which order.',
  values: {
    HEAVIEST_FIRST: 'Citizens who vote, those with the most votes first.',
    LARGEST_CHANGE_FIRST: 'Citizens whose number of votes differs from today’s, those with the largest difference first.',
  },
})

@Authorise(...administrators)
@ObjectType({ description: 'Votes that are not cast, by cause.' })
export class LostVotes {
  @Field(() => Int, { description: 'Number of votes whose chain of delegations leads into a circle.' })
  cycle!: number
  @Field(() => Int, { description: 'Number of votes whose chain of delegations is longer than `maxChain`.' })
  chain!: number
  @Field(() => Int, { description: 'Number of votes beyond the `maxWeight` of the citizen who would cast them.' })
  weight!: number
}

@Authorise(...administrators)
@ObjectType({ description: 'Number of citizens whose chain of delegations has the given length.' })
export class ChainLength {
  @Field(() => Int, {
    description: 'Number of delegations from the citizen to the one who casts the vote; 0 for citizens who vote themselves.',
  })
  steps!: number
  @Field(() => Int, { description: 'Number of citizens.' })
  citizens!: number
}

@Authorise(...administrators)
@ObjectType({ description: 'A point of the concentration curve: the votes that a share of the voters casts.' })
export class ConcentrationPoint {
  @Field(() => Float, { description: 'Share of the voters, those with the most votes first, 0 to 1.' })
  voters!: number
  @Field(() => Float, { description: 'Share of the cast votes that these voters cast, 0 to 1.' })
  votes!: number
}

@Authorise(...administrators)
@ObjectType({ description: 'How unequally the cast votes are distributed among the voters.' })
export class VoteConcentration {
  @Field(() => Float, { description: 'Share of the cast votes that the heaviest voter casts, 0 to 1.' })
  largestShare!: number
  @Field(() => Float, { description: 'Gini coefficient of the weights: 0 when all are equal, near 1 when one citizen casts all votes.' })
  gini!: number
  @Field(() => Int, { description: 'Smallest number of voters who together cast more than half (Nakamoto coefficient).' })
  nakamoto!: number
  @Field(() => [ConcentrationPoint], { description: 'Share of the votes by share of the voters, at most 101 points; empty without votes.' })
  curve!: readonly ConcentrationPoint[]
}

@Authorise(...administrators)
@ObjectType({ description: 'Outcome of a scenario in numbers of citizens.' })
export class SimulationFigures {
  @Field(() => Int, { description: 'Number of citizens who may vote.' })
  electorate!: number
  @Field(() => Int, { description: 'Number of citizens who cast at least one vote.' })
  voters!: number
  @Field(() => Int, { description: 'Number of citizens whose chain of delegations reaches another citizen who votes.' })
  delegated!: number
  @Field(() => Int, { description: 'Number of votes that are cast.' })
  cast!: number
  @Field(() => LostVotes, { description: 'Votes that are not cast, by cause. Cast and lost votes together are the electorate.' })
  lost!: LostVotes
  @Field(() => [ChainLength], { description: 'Citizens by the length of their chain of delegations, the shortest first.' })
  chains!: readonly ChainLength[]
  @Field(() => VoteConcentration, { description: 'Distribution of the cast votes.' })
  concentration!: VoteConcentration
}

@Authorise(...administrators)
@ObjectType({ description: 'A citizen and the votes that they cast in a scenario.' })
export class VoterWeight {
  @Field(() => AdministeredCitizen, { description: 'The citizen.' })
  citizen!: AdministeredCitizen
  @Field(() => Int, { description: 'Number of votes that the citizen casts, including their own; 0 when the citizen does not vote.' })
  weight!: number
  @Field(() => Int, { description: 'Number of votes that the citizen casts today, without the scenario.' })
  weightToday!: number
  @Field(() => Int, { description: 'Number of citizens who delegate to this one directly.' })
  directDelegations!: number
  @Field(() => Int, {
    description: 'Number of delegations in the longest chain that ends at this citizen; 0 when no citizen delegates to them.',
  })
  longestChain!: number
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `VoterWeightConnection`: a citizen’s number of votes and its cursor.' })
export class VoterWeightEdge {
  @Field(() => String, { description: 'Cursor of the weight, valid for the delegations of one `snapshotAt`.' })
  cursor!: string
  @Field(() => VoterWeight, { description: 'The weight.' })
  node!: VoterWeight
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of citizens with the number of votes that each casts in a scenario.' })
export class VoterWeightConnection {
  @Field(() => [VoterWeightEdge], { description: 'The weights of the page with their cursors.' })
  edges!: readonly VoterWeightEdge[]
  @Field(() => [VoterWeight], { description: 'The weights of the page.' })
  nodes!: readonly VoterWeight[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  @Field(() => Int, { description: 'Number of nodes in the whole list.' })
  totalCount!: number
}

@Authorise(...administrators)
@ObjectType({ description: 'The simulated outcome of a vote under a scenario.' })
export class DelegationSimulation {
  @Field(() => DateTime, {
    description:
      'Time at which the delegations were read. Simulations within 5 minutes use the same delegations, so that they can be compared.',
  })
  snapshotAt!: Date
  @Field(() => Int, { description: 'Number of delegations that were read, valid or not.' })
  delegations!: number
  @Field(() => SimulationFigures, { description: 'Outcome of the scenario.' })
  figures!: SimulationFigures
  @Field(() => SimulationFigures, { description: 'Outcome today: the same question now, without the assumptions and limits.' })
  today!: SimulationFigures

  question!: Question
  scenario!: FiledScenario
}

@Authorise(...administrators)
@ObjectType({ description: 'A citizen who delegates to another one in a scenario.' })
export class SimulatedDelegator {
  @Field(() => AdministeredCitizen, { description: 'The citizen.' })
  citizen!: AdministeredCitizen
  @Field(() => Int, { description: 'Number of votes that pass through this citizen, including their own.' })
  through!: number
  @Field(() => Int, { description: 'Number of citizens who delegate to this one directly.' })
  directDelegations!: number
  @Field(() => Boolean, { description: 'Whether the scenario assumes the delegation.' })
  isAssumed!: boolean
  @Field(() => Boolean, { description: 'Whether the vote of this citizen is lost in a circle or beyond `maxChain`.' })
  isLost!: boolean
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `SimulatedDelegatorConnection`: a delegator and its cursor.' })
export class SimulatedDelegatorEdge {
  @Field(() => String, { description: 'Cursor of the delegator, valid for the delegations of one `snapshotAt`.' })
  cursor!: string
  @Field(() => SimulatedDelegator, { description: 'The delegator.' })
  node!: SimulatedDelegator
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of citizens who delegate to one citizen in a scenario.' })
export class SimulatedDelegatorConnection {
  @Field(() => [SimulatedDelegatorEdge], { description: 'The delegators of the page with their cursors.' })
  edges!: readonly SimulatedDelegatorEdge[]
  @Field(() => [SimulatedDelegator], { description: 'The delegators of the page.' })
  nodes!: readonly SimulatedDelegator[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  @Field(() => Int, { description: 'Number of nodes in the whole list.' })
  totalCount!: number
}

@Authorise(...administrators)
@ObjectType({ description: 'Citizens who delegate to each other in a circle, so that no vote that arrives there is cast.' })
export class DelegationCircle {
  @Field(() => [AdministeredCitizen], { description: 'The citizens in the order of their delegations, at most 100.' })
  citizens!: readonly AdministeredCitizen[]
  @Field(() => Int, { description: 'Number of citizens in the circle.' })
  length!: number
  @Field(() => Int, { description: 'Number of votes that arrive in the circle and are lost.' })
  lost!: number
}

@InputType({ description: 'The citizen whose delegators are listed.' })
export class SimulatedDelegatorFilterInput {
  @Field(() => String, { description: 'Code of the citizen to whom they delegate.' })
  delegate!: string
}

export enum SimulationStage {
  READING = 'reading',
  DONE = 'done',
}
registerEnum(SimulationStage, {
  name: 'SimulationStage',
  description: 'Stage of a simulation.',
  values: {
    READING: 'The delegations are being read.',
    DONE: 'The simulation has ended.',
  },
})

@Authorise(...administrators)
@ObjectType({ description: 'Progress of a simulation; the last event has its result.' })
export class DelegationSimulationRun {
  @Field(() => SimulationStage, { description: 'Stage of the simulation.' })
  stage!: SimulationStage
  @Field(() => Int, { description: 'Number of delegations that have been read.' })
  read!: number
  @Field(() => Int, { description: 'Number of delegations to read.' })
  total!: number
  @Field(() => DelegationSimulation, { nullable: true, description: 'The result; null before the simulation has ended.' })
  simulation!: DelegationSimulation | null
}

export enum DelegationPathOutcome {
  CAST = 'cast',
  CYCLE = 'cycle',
  TOO_LONG = 'chain',
}
registerEnum(DelegationPathOutcome, {
  name: 'DelegationPathOutcome',
  description: 'Outcome of a vote.',
  values: {
    CAST: 'The last citizen of the path casts the vote.',
    CYCLE: 'The vote is lost: the path returns to a citizen.',
    TOO_LONG: 'The vote is lost: the path has more steps than `maxChain`.',
  },
})

@Authorise(...administrators)
@ObjectType({ description: 'A citizen on the path of a vote, and the delegation that passes the vote on.' })
export class DelegationPathStep {
  @Field(() => AdministeredCitizen, { description: 'The citizen.' })
  citizen!: AdministeredCitizen
  /** null at the end of the path and for an assumed delegation */
  delegationId!: string | null
  @Field(() => Boolean, { description: 'Whether the delegation that passes the vote on is one that the scenario assumes.' })
  isAssumed!: boolean
}

@Authorise(...administrators)
@ObjectType({ description: 'The path of a citizen’s vote through delegations to the citizen who casts it.' })
export class DelegationPath {
  @Field(() => [DelegationPathStep], { description: 'The first 1,000 citizens on the path, beginning with the citizen whose vote it is.' })
  steps!: readonly DelegationPathStep[]
  @Field(() => Int, { description: 'Number of delegations on the whole path.' })
  length!: number
  @Field(() => DelegationPathOutcome, { description: 'Outcome of the vote.' })
  outcome!: DelegationPathOutcome
}
