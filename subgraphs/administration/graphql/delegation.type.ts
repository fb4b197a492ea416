import { Directive, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { DelegationFilter } from '../delegations/find-delegations.ts'
import { administrators } from '../roles.ts'
import type { DelegationRow, DelegationStatus } from '../tables.ts'
import { Group } from './group.type.ts'

export enum DelegationStatusName {
  PENDING = 'pending',
  ACTIVE = 'active',
  REVOKED = 'revoked',
  EXPIRED = 'expired',
}
registerEnumType(DelegationStatusName, {
  name: 'DelegationStatus',
  description: 'PENDING until it starts, ACTIVE until it ends, then EXPIRED; REVOKED when it was taken back',
})

export enum DelegationOrder {
  NEWEST_FIRST = 'newest',
  OLDEST_FIRST = 'oldest',
}
registerEnumType(DelegationOrder, { name: 'DelegationOrder', description: 'By time of creation' })

@Directive('@key(fields: "code")')
@ObjectType('Citizen', {
  description:
    'A citizen, known by the code that the callers use. Nothing leads from here to what they have said or voted: of those only pseudonyms are kept',
})
export class AdministeredCitizen {
  @Field(() => String, { description: 'The code' })
  code!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Domain', { description: 'A domain or sub-domain of civic life' })
export class DelegatedDomain {
  @Field(() => ID, { description: 'Id of the domain' })
  id!: string
}

@Directive('@key(fields: "id")')
@Authorise(...administrators)
@ObjectType({ description: 'The right of one citizen to act for another' })
export class Delegation {
  @Field(() => ID, { description: 'Id of the delegation' })
  id!: string
  @Field(() => AdministeredCitizen, { description: 'Who gives the right' })
  delegator!: AdministeredCitizen
  @Field(() => AdministeredCitizen, { description: 'Who acts' })
  delegate!: AdministeredCitizen
  @Field(() => Group, { description: 'The group in which it holds; its administrators see it' })
  group!: Group
  @Field(() => DelegatedDomain, { nullable: true, description: 'The domain for which it holds; null: for all' })
  domain!: DelegatedDomain | null
  @Field(() => String, {
    description: 'What may be done, in the word of the system that it comes from, such as "vote"; "all" where that says nothing',
  })
  scope!: string
  @Field(() => DelegationStatusName, { description: 'Where it stands' })
  status!: DelegationStatus
  @Field(() => DateTime, { description: 'When it begins to hold' })
  startsAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'When it ends; null: not by itself' })
  endsAt!: Date | null
  @Field(() => DateTime, { description: 'When it was made' })
  createdAt!: Date
  @Field(() => DateTime, { description: 'When it changed last, also by the passing of time' })
  updatedAt!: Date
}

@Authorise(...administrators)
@ObjectType({ description: 'A delegation in a list' })
export class DelegationEdge {
  @Field(() => String, { description: 'Cursor of this node' })
  cursor!: string
  @Field(() => Delegation, { description: 'The delegation' })
  node!: Delegation
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of delegations' })
export class DelegationConnection {
  @Field(() => [DelegationEdge], { description: 'The delegations with their cursors' })
  edges!: readonly DelegationEdge[]
  @Field(() => [Delegation], { description: 'The delegations' })
  nodes!: readonly Delegation[]
  @Field(() => PageInfo, { description: 'Where the page stands' })
  pageInfo!: PageInfo
  /** for totalCount, which is counted only when somebody asks */
  filter!: DelegationFilter
}

@InputType({ description: 'Which delegations; what is left out does not matter' })
export class DelegationFilterInput {
  @Field(() => DelegationStatusName, { nullable: true, description: 'Where they stand' })
  status?: DelegationStatus | null
  @Field(() => String, { nullable: true, description: 'Code of the citizen who gives the right' })
  delegator?: string | null
  @Field(() => String, { nullable: true, description: 'Code of the citizen who acts' })
  delegate?: string | null
  @Field(() => ID, { nullable: true, description: 'Id of the group' })
  group?: string | null
  @Field(() => ID, { nullable: true, description: 'Id of the domain' })
  domain?: string | null
}

export function typeOfDelegation(row: DelegationRow): Delegation {
  const { delegatorCode, delegateCode, groupId, domain, ...rest } = row
  return {
    ...rest,
    delegator: { code: delegatorCode },
    delegate: { code: delegateCode },
    group: { id: groupId },
    domain: domain === null ? null : { id: domain },
  }
}
