import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Authorise, userWith } from './authorisation.ts'

@Directive('@key(fields: "id", resolvable: false)')
@Authorise(userWith('super_admin', 'group_admin', 'reviewer'))
@ObjectType({ description: 'A user who administers the platform, as the identity provider describes them' })
export class Administrator {
  @Field(() => ID, { description: 'Subject identifier at the issuer (`sub`)' })
  id!: string
}
