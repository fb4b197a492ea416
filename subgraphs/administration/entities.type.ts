import { Directive, Field, ID, ObjectType } from 'type-graphql'

@Directive('@key(fields: "code")')
@ObjectType('Citizen', { description: 'A citizen, known by the code that the callers use' })
export class AdministeredCitizen {
  @Field(() => String, { description: 'The code' })
  code!: string
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'The right of one citizen to act for another' })
export class Delegation {
  @Field(() => ID, { description: 'Id of the delegation' })
  id!: string
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'Somebody who administers the platform' })
export class Administrator {
  @Field(() => ID, { description: 'Id of the administrator' })
  id!: string
}
