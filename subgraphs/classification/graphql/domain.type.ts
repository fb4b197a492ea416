import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A domain or sub-domain of civic life.' })
export class Domain {
  @Field(() => ID, { description: 'Id of the domain.' })
  id!: string
}
