import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import type { AdministratorRole } from '../roles.ts'
import { Role } from './administrator.type.ts'
import { Group } from './delegation.type.ts'

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Tenant', { description: 'A tenant, which owns one content tree.' })
export class AccountTenant {
  @Field(() => ID, { description: 'Name of the tenant: 1 to 63 characters of a-z, 0-9 and -.' })
  id!: string
}

@Directive('@key(fields: "id")')
@Authorise(userWith('super_admin'))
@ObjectType({ description: 'An account at the embedded issuer; its password is never returned.' })
export class Account {
  @Field(() => ID, { description: 'Id of the account, the `sub` of its tokens.' })
  id!: string
  @Field(() => String, { description: 'E-mail address, used to sign in.' })
  email!: string
  @Field(() => String, { nullable: true, description: 'Given names; null when not set.' })
  givenName!: string | null
  @Field(() => String, { nullable: true, description: 'Family name; null when not set.' })
  familyName!: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47); null when not set.' })
  locale!: string | null
  @Field(() => [Role], { description: 'Roles of the account; roles that the platform does not define are omitted.' })
  roles!: readonly AdministratorRole[]
  @Field(() => [Group], { description: 'Groups that the account administers.' })
  groups!: readonly Group[]
  @Field(() => AccountTenant, { nullable: true, description: 'The tenant in the account’s tokens; null when the account has none.' })
  tenant!: AccountTenant | null
  @Field(() => DateTime, { description: 'Time of creation.' })
  createdAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time since which the account cannot sign in; null when it is enabled.' })
  disabledAt!: Date | null
}

@ObjectType({ description: 'An edge of `AccountConnection`: an account and its cursor.' })
export class AccountEdge {
  @Field(() => Account, { description: 'The account.' })
  node!: Account
  @Field(() => String, { description: 'Cursor of the account.' })
  cursor!: string
}

@ObjectType({ description: 'A page of accounts.' })
export class AccountConnection implements CountablePage {
  @Field(() => [AccountEdge], { description: 'The accounts of the page with their cursors.' })
  edges!: readonly AccountEdge[]
  @Field(() => [Account], { description: 'The accounts of the page.' })
  nodes!: readonly Account[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Filter for accounts.' })
export class AccountFilterInput {
  @Field(() => String, { nullable: true, description: 'Returns only accounts whose address or name contains this text; case is ignored.' })
  text?: string | null
  @Field(() => Role, { nullable: true, description: 'Returns only accounts with this role.' })
  role?: AdministratorRole | null
  @Field(() => ID, { nullable: true, description: 'Returns only accounts in this group.' })
  groupId?: string | null
  @Field(() => ID, { nullable: true, description: 'Former name of `groupId`.', ...deprecated('groupId') })
  group?: string | null
  @Field(() => Boolean, { nullable: true, description: 'true: returns only disabled accounts; false: returns only enabled accounts.' })
  disabled?: boolean | null
}

@InputType({ description: 'The account to create.' })
export class CreateAccountInput {
  @Field(() => String, { description: 'E-mail address, at most 254 characters.' })
  email!: string
  @Field(() => [Role], { description: 'Roles of the account.' })
  roles!: readonly AdministratorRole[]
  @Field(() => [ID], { nullable: true, description: 'Ids of the groups that the account administers, at most 100; by default none.' })
  groupIds?: readonly string[] | null
  @Field(() => [ID], { defaultValue: [], description: 'Former name of `groupIds`.', ...deprecated('groupIds') })
  groups!: readonly string[]
  @Field(() => String, { nullable: true, description: 'Given names.' })
  givenName?: string | null
  @Field(() => String, { nullable: true, description: 'Family name.' })
  familyName?: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47).' })
  locale?: string | null
  @Field(() => ID, { nullable: true, description: 'The tenant in the account’s tokens.' })
  tenantId?: string | null
}

@InputType({ description: 'Changes to an account; omitted fields keep their values.' })
export class UpdateAccountInput {
  @Field(() => ID, { description: 'Id of the account.' })
  id!: string
  @Field(() => [Role], { nullable: true, description: 'Roles of the account; they apply immediately.' })
  roles?: readonly AdministratorRole[] | null
  @Field(() => [ID], {
    nullable: true,
    description: 'Ids of the groups that the account administers, at most 100; they apply immediately.',
  })
  groupIds?: readonly string[] | null
  @Field(() => [ID], { nullable: true, description: 'Former name of `groupIds`.', ...deprecated('groupIds') })
  groups?: readonly string[] | null
  @Field(() => String, { nullable: true, description: 'Given names; null removes them.' })
  givenName?: string | null
  @Field(() => String, { nullable: true, description: 'Family name; null removes it.' })
  familyName?: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47); null removes it.' })
  locale?: string | null
  @Field(() => ID, { nullable: true, description: 'The tenant in the account’s tokens; null removes it.' })
  tenantId?: string | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'true: the account cannot sign in, and its sessions and access tokens end immediately; false: the account is enabled.',
  })
  disabled?: boolean | null
}

@InputType({ description: 'The account that receives a new password.' })
export class ResetAccountPasswordInput {
  @Field(() => ID, { description: 'Id of the account.' })
  id!: string
}

@ObjectType({ description: 'Result of `createAccount`: the new account and its password.' })
export class CreateAccountPayload {
  @Field(() => Account, { description: 'The account.' })
  account!: Account
  @Field(() => String, { description: 'Random password of the account; returned only by this call.' })
  password!: string
}

@ObjectType({ description: 'Result of `updateAccount`.' })
export class UpdateAccountPayload {
  @Field(() => Account, { description: 'The account after the change.' })
  account!: Account
}

@ObjectType({ description: 'Result of `resetAccountPassword`.' })
export class ResetAccountPasswordPayload {
  @Field(() => Account, { description: 'The account; its sessions were ended.' })
  account!: Account
  @Field(() => String, { description: 'Random password of the account; returned only by this call.' })
  password!: string
}

@InputType({ description: 'A new password for the account of the caller.' })
export class ChangeOwnPasswordInput {
  @Field(() => String, { description: 'The current password.' })
  currentPassword!: string
  @Field(() => String, { description: 'The new password, 12 to 200 characters.' })
  newPassword!: string
}

@ObjectType({ description: 'Result of `changeOwnPassword`.' })
export class ChangeOwnPasswordPayload {
  @Field(() => Boolean, { description: 'Always true: all sessions of the account ended, this one included.' })
  sessionsEnded!: boolean
}
