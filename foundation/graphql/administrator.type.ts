import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Authorise, userWith } from './authorisation.ts'

@Directive('@key(fields: "id", resolvable: false)')
@Authorise(userWith('super_admin', 'group_admin', 'reviewer'))
@ObjectType({ description: 'An administrator of the platform, as the identity provider identifies them.' })
export class Administrator {
  @Field(() => ID, { description: 'Subject identifier (`sub`) of the administrator at the identity provider.' })
  id!: string
}
