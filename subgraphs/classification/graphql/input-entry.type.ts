import { Field, Float, ObjectType } from 'type-graphql'

@ObjectType({ description: 'The numbers of a rule, in characters, items or the member’s own unit' })
export class InputConstraint {
  @Field(() => Float, { nullable: true, description: 'The least' })
  readonly min?: number
  @Field(() => Float, { nullable: true, description: 'The most' })
  readonly max?: number
  @Field(() => Float, { nullable: true, description: 'What came' })
  readonly actual?: number
}

@ObjectType({ description: 'A member that breaks a rule, as `extensions.entries` of an error say it' })
export class InputEntry {
  @Field(() => String, { description: 'Which rule: `too_short`, `out_of_range` and so on' })
  readonly code!: string
  @Field(() => [String], { description: 'The member, and what it is in; empty: the whole' })
  readonly path!: readonly string[]
  @Field(() => String, { description: 'The rule in words; never the value' })
  readonly message!: string
  @Field(() => InputConstraint, { nullable: true, description: 'Its numbers, where it has some' })
  readonly constraint?: InputConstraint | undefined
}
