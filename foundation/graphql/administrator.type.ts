import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Authorise, userWith } from './authorisation.ts'

@Directive('@key(fields: "id", resolvable: false)')
@Authorise(userWith('super_admin', 'group_admin', 'reviewer'))
@ObjectType({ description: 'Somebody who administers the platform, as the identity service knows them' })
export class Administrator {
  @Field(() => ID, { description: 'The issuer’s id of the person (`sub`)' })
  id!: string
}
