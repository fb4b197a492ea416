import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { byEnumName } from '../../../foundation/graphql/enum-names.ts'
import { type AdministratorRole, type Permission, permissions, staff, whoLoggedIn } from '../roles.ts'
import { Group } from './group.type.ts'

export enum Role {
  SUPER_ADMIN = 'super_admin',
  GROUP_ADMIN = 'group_admin',
  REVIEWER = 'reviewer',
}
registerEnumType(Role, {
  name: 'AdministratorRole',
  description: 'SUPER_ADMIN: all groups and tenants; GROUP_ADMIN: those of their groups; REVIEWER: verifications that wait for a person',
})

const GrantedPermission = byEnumName(permissions)
registerEnumType(GrantedPermission, {
  name: 'Permission',
  description: 'What a role may do, for a page that shows what works; the rules on the fields decide',
})

@Directive('@key(fields: "id")')
@Authorise(...staff, whoLoggedIn)
@ObjectType({ description: 'Somebody who administers the platform, as the identity service knows them' })
export class Administrator {
  @Field(() => ID, { description: 'The issuer’s id of the person (`sub`)' })
  id!: string
  @Field(() => String, { nullable: true, description: 'E-mail address' })
  email!: string | null
  @Field(() => Boolean, { description: 'Whether the issuer has made sure that the address is theirs' })
  emailVerified!: boolean
  @Field(() => String, { nullable: true, description: 'Whole name' })
  name!: string | null
  @Field(() => String, { nullable: true, description: 'Given names' })
  givenName!: string | null
  @Field(() => String, { nullable: true, description: 'Family name' })
  familyName!: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47)' })
  locale!: string | null
  @Field(() => [Role], { description: 'Their roles, those that mean something here' })
  roles!: readonly AdministratorRole[]
  @Field(() => [Group], { description: 'The groups that they administer' })
  groups!: readonly Group[]
  @Field(() => [GrantedPermission], { description: 'What these roles may do' })
  permissions!: readonly Permission[]
  @Field(() => DateTime, { nullable: true, description: 'When the access token was made; null for anybody but the caller' })
  issuedAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'When the access token ends; null for anybody but the caller' })
  expiresAt!: Date | null
}
