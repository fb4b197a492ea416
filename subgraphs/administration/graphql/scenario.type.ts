import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import { administrators } from '../roles.ts'
import type { SavedScenario } from '../scenarios/scenario-store.ts'
import { AdministeredCitizen, DelegatedDomain, Group } from './delegation.type.ts'
import { SimulationArgs } from './simulation.type.ts'

@Authorise(...administrators)
@ObjectType({ description: 'A delegation that a scenario assumes.' })
export class AssumedDelegation {
  @Field(() => AdministeredCitizen, { description: 'The citizen who delegates.' })
  delegator!: AdministeredCitizen
  @Field(() => AdministeredCitizen, { description: 'The citizen who acts for the delegator.' })
  delegate!: AdministeredCitizen
}

@Directive('@key(fields: "id")')
@Authorise(...administrators)
@ObjectType({ description: 'The saved question and assumptions of a simulation, without its outcome.' })
export class DelegationScenario {
  @Field(() => ID, { description: 'Id of the scenario.' })
  id!: string
  @Field(() => String, { description: 'Name that its author gave it.' })
  name!: string
  @Field(() => Boolean, { description: 'Whether the caller saved it; only its author and SUPER_ADMIN may rename and delete it.' })
  isOwn!: boolean
  @Field(() => Group, {
    nullable: true,
    description:
      'Group whose delegations the scenario uses and whose administrators may read it; null: delegations of all groups, readable by the author and SUPER_ADMIN only.',
  })
  group!: Group | null
  @Field(() => DelegatedDomain, {
    nullable: true,
    description: 'The domain of the vote; null: only delegations that are valid in all domains apply.',
  })
  domain!: DelegatedDomain | null
  @Field(() => String, { description: 'Delegated action.' })
  scope!: string
  @Field(() => DateTime, { nullable: true, description: 'Time of the vote; null: the time at which the simulation runs.' })
  at!: Date | null
  @Field(() => Int, {
    nullable: true,
    description: 'Number of citizens who may vote; null: the number of citizens that the delegations name.',
  })
  electorate!: number | null
  @Field(() => [AdministeredCitizen], { description: 'Citizens who vote themselves although they have delegated their vote.' })
  directVoters!: readonly AdministeredCitizen[]
  @Field(() => [AssumedDelegation], { description: 'Delegations that are assumed.' })
  add!: readonly AssumedDelegation[]
  @Field(() => [ID], { description: 'Ids of delegations that the scenario ignores.' })
  removedIds!: readonly string[]
  @Field(() => [AdministeredCitizen], { description: 'Citizens whose delegations to others the scenario ignores.' })
  removedDelegators!: readonly AdministeredCitizen[]
  @Field(() => [AdministeredCitizen], { description: 'Citizens whose delegations from others the scenario ignores.' })
  removedDelegates!: readonly AdministeredCitizen[]
  @Field(() => Int, { nullable: true, description: 'Maximum number of votes that one citizen may cast; null: no limit.' })
  maxWeight!: number | null
  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of steps from a citizen to the one who casts the vote; null: no limit.',
  })
  maxChain!: number | null
  @Field(() => DateTime, { description: 'Time at which it was first saved.' })
  createdAt!: Date
  @Field(() => DateTime, { description: 'Time of the last change.' })
  updatedAt!: Date

  saved!: SavedScenario
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `DelegationScenarioConnection`: a saved scenario and its cursor.' })
export class DelegationScenarioEdge {
  @Field(() => String, { description: 'Cursor of the scenario.' })
  cursor!: string
  @Field(() => DelegationScenario, { description: 'The scenario.' })
  node!: DelegationScenario
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of saved scenarios.' })
export class DelegationScenarioConnection implements CountablePage {
  @Field(() => [DelegationScenarioEdge], { description: 'The scenarios of the page with their cursors.' })
  edges!: readonly DelegationScenarioEdge[]
  @Field(() => [DelegationScenario], { description: 'The scenarios of the page.' })
  nodes!: readonly DelegationScenario[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  count!: () => Promise<number>
}

@InputType({ description: 'A scenario to save.' })
export class SaveDelegationScenarioInput {
  @Field(() => String, { description: 'Name, 1 to 100 characters. A scenario of the caller with this name is replaced.' })
  name!: string
  @Field(() => SimulationArgs, { description: 'The question and the assumptions.' })
  scenario!: SimulationArgs
}

@InputType({ description: 'A new name of a scenario.' })
export class RenameDelegationScenarioInput {
  @Field(() => ID, { description: 'Id of the scenario.' })
  id!: string
  @Field(() => String, { description: 'Name, 1 to 100 characters, that no other scenario of its author has.' })
  name!: string
}

@InputType({ description: 'A scenario to delete.' })
export class DeleteDelegationScenarioInput {
  @Field(() => ID, { description: 'Id of the scenario.' })
  id!: string
}

@Authorise(...administrators)
@ObjectType({ description: 'Result of `saveDelegationScenario`.' })
export class SaveDelegationScenarioPayload {
  @Field(() => DelegationScenario, { description: 'The scenario.' })
  scenario!: DelegationScenario
}

@Authorise(...administrators)
@ObjectType({ description: 'Result of `renameDelegationScenario`.' })
export class RenameDelegationScenarioPayload {
  @Field(() => DelegationScenario, { description: 'The scenario.' })
  scenario!: DelegationScenario
}

@Authorise(...administrators)
@ObjectType({ description: 'Result of `deleteDelegationScenario`.' })
export class DeleteDelegationScenarioPayload {
  @Field(() => ID, { description: 'Global id (Node) of the scenario, for cache invalidation.' })
  deletedNodeId!: string
}
