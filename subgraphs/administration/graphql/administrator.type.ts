import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Authorise } from '../../foundation/graphql/authorisation.ts'
import { DateTime } from '../../foundation/graphql/date-time.ts'
import { staff } from '../roles.ts'

@Directive('@key(fields: "id")')
@Authorise(...staff)
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
  @Field(() => [String], { description: 'super_admin, group_admin, reviewer' })
  roles!: readonly string[]
  @Field(() => [String], { description: 'Ids of the groups that they administer' })
  groups!: readonly string[]
  @Field(() => [String], { description: 'What these roles may do, such as delegations:read' })
  permissions!: readonly string[]
  @Field(() => DateTime, { nullable: true, description: 'When the access token was made; null for anybody but the caller' })
  issuedAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'When the access token ends; null for anybody but the caller' })
  expiresAt!: Date | null
}
