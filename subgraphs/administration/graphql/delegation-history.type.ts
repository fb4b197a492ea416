import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime, SafeInt } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import { administrators } from '../roles.ts'
import type { DelegationStatus } from '../tables.ts'
import { AdministeredCitizen, DelegatedDomain, DelegationStatusName, Group } from './delegation.type.ts'

@Authorise(...administrators)
@ObjectType({
  description: 'A delegation as it was after a change. The history contains changes since the upgrade to the release that introduced it.',
})
export class DelegationState {
  @Field(() => ID, { description: 'Id of the delegation.' })
  delegationId!: string
  @Field(() => DateTime, {
    description: 'Time of the change; for a delegation that is older than the history, time of its last change before the history began.',
  })
  at!: Date
  @Field(() => AdministeredCitizen, { description: 'The citizen who grants the right.' })
  delegator!: AdministeredCitizen
  @Field(() => AdministeredCitizen, { description: 'The citizen who acts for the delegator.' })
  delegate!: AdministeredCitizen
  @Field(() => Group, { description: 'The group in which the delegation is valid.' })
  group!: Group
  @Field(() => DelegatedDomain, { nullable: true, description: 'The domain in which it is valid; null when it is valid in all domains.' })
  domain!: DelegatedDomain | null
  @Field(() => String, { description: 'The delegated action.' })
  scope!: string
  @Field(() => DelegationStatusName, { description: 'Status after the change.' })
  status!: DelegationStatus
  @Field(() => DateTime, { description: 'Time from which the delegation is valid.' })
  startsAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time at which the delegation ends; null when it has no end.' })
  endsAt!: Date | null
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `DelegationStateConnection`: the state of a delegation and its cursor.' })
export class DelegationStateEdge {
  @Field(() => String, { description: 'Cursor of the state.' })
  cursor!: string
  @Field(() => DelegationState, { description: 'The state.' })
  node!: DelegationState
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of states of delegations: of one delegation after each change, or of many at one time.' })
export class DelegationStateConnection implements CountablePage {
  @Field(() => [DelegationStateEdge], { description: 'The states of the page with their cursors.' })
  edges!: readonly DelegationStateEdge[]
  @Field(() => [DelegationState], { description: 'The states of the page.' })
  nodes!: readonly DelegationState[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  count!: () => Promise<number>
}

@Authorise(...administrators)
@ObjectType({ description: 'Numbers of delegations in one group and domain, by status.' })
export class DelegationFigures {
  @Field(() => Group, { description: 'The group.' })
  group!: Group
  @Field(() => DelegatedDomain, { nullable: true, description: 'The domain; null for delegations that are valid in all domains.' })
  domain!: DelegatedDomain | null
  @Field(() => SafeInt, { description: 'Number of delegations that have not started.' })
  pending!: number
  @Field(() => SafeInt, { description: 'Number of delegations that are valid now.' })
  active!: number
  @Field(() => SafeInt, { description: 'Number of delegations that were revoked.' })
  revoked!: number
  @Field(() => SafeInt, { description: 'Number of delegations that have ended.' })
  expired!: number
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `DelegationFiguresConnection`: the numbers for one group and domain, and their cursor.' })
export class DelegationFiguresEdge {
  @Field(() => String, { description: 'Cursor of the figures.' })
  cursor!: string
  @Field(() => DelegationFigures, { description: 'The figures.' })
  node!: DelegationFigures
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of numbers of delegations; each node counts those of one group and domain.' })
export class DelegationFiguresConnection implements CountablePage {
  @Field(() => [DelegationFiguresEdge], { description: 'The figures of the page with their cursors.' })
  edges!: readonly DelegationFiguresEdge[]
  @Field(() => [DelegationFigures], { description: 'The figures of the page.' })
  nodes!: readonly DelegationFigures[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  count!: () => Promise<number>
}

@InputType({ description: 'Filter for figures; omitted fields do not restrict the list.' })
export class DelegationFiguresFilterInput {
  @Field(() => ID, { nullable: true, description: 'Returns only figures of this group.' })
  groupId?: string | null
  @Field(() => ID, { nullable: true, description: 'Returns only figures of this domain.' })
  domainId?: string | null
}
