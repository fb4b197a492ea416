import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { type AdministratorRole, loginCaller, type Permission, permissions, staff } from '../roles.ts'
import { Group } from './delegation.type.ts'

export enum Role {
  SUPER_ADMIN = 'super_admin',
  GROUP_ADMIN = 'group_admin',
  REVIEWER = 'reviewer',
}
registerEnum(Role, {
  name: 'AdministratorRole',
  description: 'Role of an administrator.',
  values: {
    SUPER_ADMIN: 'Administers all groups and tenants.',
    GROUP_ADMIN: 'Administers the groups of the account.',
    REVIEWER: 'Reviews verifications that wait for a decision.',
  },
})

const GrantedPermission = byEnumName(permissions)
registerEnum(GrantedPermission, {
  name: 'Permission',
  description:
    'A permission of a role, so that a client can hide actions that would be refused. Each field enforces its own authorisation rules regardless.',
  values: {
    CITIZENS_READ: 'Read citizens.',
    CITIZENS_ERASE: 'Erase citizens.',
    CONTENT_WRITE: 'Change content trees.',
    DELEGATIONS_READ: 'Read delegations.',
    EXPRESSIONS_MODERATE: 'Withdraw and correct expressions.',
    TAXONOMY_WRITE: 'Change and synchronise the taxonomy.',
    VERIFICATIONS_REVIEW: 'Review verifications.',
  },
})

@Directive('@key(fields: "id")')
@Authorise(...staff, loginCaller)
@ObjectType({ description: 'An administrator of the platform, as the identity provider identifies them.' })
export class Administrator {
  @Field(() => ID, { description: 'Subject identifier (`sub`) of the administrator at the identity provider.' })
  id!: string
  @Field(() => String, { nullable: true, description: 'E-mail address; null when the identity provider supplies none.' })
  email!: string | null
  @Field(() => Boolean, { description: 'Whether the identity provider has verified the e-mail address.' })
  emailVerified!: boolean
  @Field(() => String, { nullable: true, description: 'Full name; null when the identity provider supplies none.' })
  name!: string | null
  @Field(() => String, { nullable: true, description: 'Given names; null when the identity provider supplies none.' })
  givenName!: string | null
  @Field(() => String, { nullable: true, description: 'Family name; null when the identity provider supplies none.' })
  familyName!: string | null
  @Field(() => String, { nullable: true, description: 'Preferred language (BCP 47); null when the identity provider supplies none.' })
  locale!: string | null
  @Field(() => [Role], { description: 'Roles of the administrator; roles that the platform does not define are omitted.' })
  roles!: readonly AdministratorRole[]
  @Field(() => [Group], { description: 'Groups that the administrator administers.' })
  groups!: readonly Group[]
  @Field(() => [GrantedPermission], { description: 'Permissions that the roles grant.' })
  permissions!: readonly Permission[]
  @Field(() => DateTime, { nullable: true, description: 'Time at which the access token was issued; null unless this is the caller.' })
  issuedAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which the access token expires; null unless this is the caller.' })
  expiresAt!: Date | null
}
