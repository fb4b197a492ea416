import { Field, Float, ObjectType } from 'type-graphql'

@ObjectType({ description: 'Limits of a rule, in characters, items or the unit of the field.' })
export class InputConstraint {
  @Field(() => Float, { nullable: true, description: 'Minimum; null when the rule has none.' })
  readonly min?: number
  @Field(() => Float, { nullable: true, description: 'Maximum; null when the rule has none.' })
  readonly max?: number
  @Field(() => Float, { nullable: true, description: 'Actual size or value; null when the rule compares none.' })
  readonly actual?: number
}

@ObjectType({ description: 'A field that violates a rule, as in `extensions.entries` of an error.' })
export class InputEntry {
  @Field(() => String, { description: 'Code of the rule, such as `too_short` or `out_of_range`.' })
  readonly code!: string
  @Field(() => [String], { description: 'Path of the field; empty for the whole input.' })
  readonly path!: readonly string[]
  @Field(() => String, { description: 'Description of the violation, without the value of the field.' })
  readonly message!: string
  @Field(() => InputConstraint, { nullable: true, description: 'Limits of the rule; null when the rule has none.' })
  readonly constraint?: InputConstraint | undefined
}
