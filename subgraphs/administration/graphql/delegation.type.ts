import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { DelegationFilter } from '../delegations/find-delegations.ts'
import { administrators } from '../roles.ts'
import type { DelegationRow, DelegationStatus } from '../tables.ts'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A group in which delegations are valid and whose administrators can read them.' })
export class Group {
  @Field(() => ID, { description: 'Id of the group.' })
  id!: string
}

export enum DelegationStatusName {
  PENDING = 'pending',
  ACTIVE = 'active',
  REVOKED = 'revoked',
  EXPIRED = 'expired',
}
registerEnum(DelegationStatusName, {
  name: 'DelegationStatus',
  description: 'Status of a delegation.',
  values: {
    PENDING: 'The delegation has not started.',
    ACTIVE: 'The delegation is valid now.',
    EXPIRED: 'The delegation has ended.',
    REVOKED: 'The delegation was revoked.',
  },
})

export enum DelegationOrder {
  NEWEST_FIRST = 'newest',
  OLDEST_FIRST = 'oldest',
}
registerEnum(DelegationOrder, {
  name: 'DelegationOrder',
  description: 'Order of delegations.',
  values: {
    NEWEST_FIRST: 'By time of creation, newest first.',
    OLDEST_FIRST: 'By time of creation, oldest first.',
  },
})

@Directive('@key(fields: "code")')
@ObjectType('Citizen', {
  description:
    'A citizen, identified by a code that the calling services assign. Expressions and votes cannot be reached from here: they are stored under pseudonyms only.',
})
export class AdministeredCitizen {
  @Field(() => String, { description: 'Citizen code, assigned by the calling services.' })
  code!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Domain', { description: 'A domain or sub-domain of civic life.' })
export class DelegatedDomain {
  @Field(() => ID, { description: 'Id of the domain.' })
  id!: string
}

@Directive('@key(fields: "id")')
@Authorise(...administrators)
@ObjectType({ description: 'The right of one citizen to act for another.' })
export class Delegation {
  @Field(() => ID, { description: 'Id of the delegation.' })
  id!: string
  @Field(() => AdministeredCitizen, { description: 'The citizen who grants the right.' })
  delegator!: AdministeredCitizen
  @Field(() => AdministeredCitizen, { description: 'The citizen who acts for the delegator.' })
  delegate!: AdministeredCitizen
  @Field(() => Group, {
    description: 'The group in which the delegation is valid and whose administrators can read it.',
  })
  group!: Group
  @Field(() => DelegatedDomain, {
    nullable: true,
    description: 'The domain in which the delegation is valid; null when it is valid in all domains.',
  })
  domain!: DelegatedDomain | null
  @Field(() => String, {
    description: 'The delegated action, in the vocabulary of the source system, such as "vote"; "all" when the source names none.',
  })
  scope!: string
  @Field(() => DelegationStatusName, { description: 'Status of the delegation.' })
  status!: DelegationStatus
  @Field(() => DateTime, { description: 'Time from which the delegation is valid.' })
  startsAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time at which the delegation ends; null when it has no end.' })
  endsAt!: Date | null
  @Field(() => DateTime, { description: 'Time of creation.' })
  createdAt!: Date
  @Field(() => DateTime, { description: 'Time of the last change, including a change of status by the passing of time.' })
  updatedAt!: Date
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `DelegationConnection`: a delegation and its cursor.' })
export class DelegationEdge {
  @Field(() => String, { description: 'Cursor of the delegation.' })
  cursor!: string
  @Field(() => Delegation, { description: 'The delegation.' })
  node!: Delegation
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of delegations.' })
export class DelegationConnection {
  @Field(() => [DelegationEdge], { description: 'The delegations of the page with their cursors.' })
  edges!: readonly DelegationEdge[]
  @Field(() => [Delegation], { description: 'The delegations of the page.' })
  nodes!: readonly Delegation[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  /** for totalCount, which is counted only when selected */
  filter!: DelegationFilter
}

@InputType({ description: 'Filter for delegations; omitted fields do not restrict the list.' })
export class DelegationFilterInput {
  @Field(() => DelegationStatusName, { nullable: true, description: 'Returns only delegations with this status.' })
  status?: DelegationStatus | null
  @Field(() => String, { nullable: true, description: 'Returns only delegations of this delegator (citizen code).' })
  delegator?: string | null
  @Field(() => String, { nullable: true, description: 'Returns only delegations to this delegate (citizen code).' })
  delegate?: string | null
  @Field(() => ID, { nullable: true, description: 'Returns only delegations in this group.' })
  groupId?: string | null
  @Field(() => ID, { nullable: true, description: 'Former name of `groupId`.', ...deprecated('groupId') })
  group?: string | null
  @Field(() => ID, { nullable: true, description: 'Returns only delegations for this domain.' })
  domainId?: string | null
  @Field(() => ID, { nullable: true, description: 'Former name of `domainId`.', ...deprecated('domainId') })
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
