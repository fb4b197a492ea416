import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import type { AdministratorRole } from '../roles.ts'
import { Role } from './administrator.type.ts'
import { Group } from './group.type.ts'

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType('Tenant', { description: 'Whose tree of content it is' })
export class AccountTenant {
  @Field(() => ID, { description: 'Its name: 1 to 63 of a-z, 0-9 and -' })
  id!: string
}

@Directive('@key(fields: "id")')
@Authorise(userWith('super_admin'))
@ObjectType({ description: 'Somebody’s account at the issuer in the platform; never the password' })
export class Account {
  @Field(() => ID, { description: 'Its id, the `sub` of its tokens' })
  id!: string
  @Field(() => String, { description: 'E-mail address, by which its owner signs in' })
  email!: string
  @Field(() => String, { nullable: true, description: 'Given names' })
  givenName!: string | null
  @Field(() => String, { nullable: true, description: 'Family name' })
  familyName!: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47)' })
  locale!: string | null
  @Field(() => [Role], { description: 'Its roles, those that mean something here' })
  roles!: readonly AdministratorRole[]
  @Field(() => [Group], { description: 'The groups that it administers' })
  groups!: readonly Group[]
  @Field(() => AccountTenant, { nullable: true, description: 'The tenant that its tokens name; null: none' })
  tenant!: AccountTenant | null
  @Field(() => DateTime, { description: 'When it was made' })
  createdAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Since when nobody signs in with it; null: it is open' })
  disabledAt!: Date | null
}

@ObjectType({ description: 'An account in a list' })
export class AccountEdge {
  @Field(() => Account, { description: 'The account' })
  node!: Account
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
}

@ObjectType({ description: 'A page of accounts' })
export class AccountConnection implements Counted {
  @Field(() => [AccountEdge], { description: 'The accounts with their places' })
  edges!: readonly AccountEdge[]
  @Field(() => [Account], { description: 'The accounts' })
  nodes!: readonly Account[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Which accounts' })
export class AccountFilterInput {
  @Field(() => String, { nullable: true, description: 'A part of the address or of a name, in whatever case' })
  text?: string | null
  @Field(() => Role, { nullable: true, description: 'With this role' })
  role?: AdministratorRole | null
  @Field(() => ID, { nullable: true, description: 'In this group' })
  group?: string | null
  @Field(() => Boolean, { nullable: true, description: 'true: those with which nobody signs in; false: the others' })
  disabled?: boolean | null
}

@InputType({ description: 'An account to make' })
export class CreateAccountInput {
  @Field(() => String, { description: 'E-mail address, at most 254 characters' })
  email!: string
  @Field(() => [Role], { description: 'Its roles' })
  roles!: readonly AdministratorRole[]
  @Field(() => [ID], { defaultValue: [], description: 'The groups that it administers, at most 100' })
  groups!: readonly string[]
  @Field(() => String, { nullable: true, description: 'Given names' })
  givenName?: string | null
  @Field(() => String, { nullable: true, description: 'Family name' })
  familyName?: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47)' })
  locale?: string | null
  @Field(() => ID, { nullable: true, description: 'The tenant that its tokens name' })
  tenantId?: string | null
}

@InputType({ description: 'What to change about an account; what is left out stays' })
export class UpdateAccountInput {
  @Field(() => ID, { description: 'The account' })
  id!: string
  @Field(() => [Role], { nullable: true, description: 'Its roles, from its next token on' })
  roles?: readonly AdministratorRole[] | null
  @Field(() => [ID], { nullable: true, description: 'The groups that it administers, at most 100, from its next token on' })
  groups?: readonly string[] | null
  @Field(() => String, { nullable: true, description: 'Given names; null removes them' })
  givenName?: string | null
  @Field(() => String, { nullable: true, description: 'Family name; null removes it' })
  familyName?: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47); null removes it' })
  locale?: string | null
  @Field(() => ID, { nullable: true, description: 'The tenant that its tokens name; null: none' })
  tenantId?: string | null
  @Field(() => Boolean, {
    nullable: true,
    description:
      'true: nobody signs in with it, its refresh tokens end and its access tokens run out within minutes; false: it is open again',
  })
  disabled?: boolean | null
}

@InputType({ description: 'An account whose password is to be another' })
export class ResetAccountPasswordInput {
  @Field(() => ID, { description: 'The account' })
  id!: string
}

@ObjectType({ description: 'An account that was made' })
export class CreateAccountPayload {
  @Field(() => Account, { description: 'The account' })
  account!: Account
  @Field(() => String, { description: 'Its password, made at random: it is told only now' })
  password!: string
}

@ObjectType({ description: 'An account that was changed' })
export class UpdateAccountPayload {
  @Field(() => Account, { description: 'The account, as it is now' })
  account!: Account
}

@ObjectType({ description: 'An account that has another password' })
export class ResetAccountPasswordPayload {
  @Field(() => Account, { description: 'The account, whose sessions have ended' })
  account!: Account
  @Field(() => String, { description: 'Its password, made at random: it is told only now' })
  password!: string
}
