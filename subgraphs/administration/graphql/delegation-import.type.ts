import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'

export enum DelegationFileFormat {
  CSV = 'csv',
  NDJSON = 'ndjson',
}
registerEnumType(DelegationFileFormat, {
  name: 'DelegationFileFormat',
  description: 'CSV: with a header that names its columns, and no line breaks in fields; NDJSON: a JSON object on each line',
})

export enum DelegationLineOutcome {
  CREATED = 'created',
  UPDATED = 'updated',
  UNCHANGED = 'unchanged',
  REFUSED = 'refused',
}
registerEnumType(DelegationLineOutcome, {
  name: 'DelegationLineOutcome',
  description: 'UNCHANGED: it says nothing new, or something older than what is known or than another line; REFUSED: it is wrong',
})

@InputType({ description: 'A file of delegations' })
export class ImportDelegationsInput {
  @Field(() => String, { description: 'What is in it, at most 1,000 delegations; what is longer has the command "delegations import"' })
  file!: string
  @Field(() => DelegationFileFormat, { description: 'How it is written' })
  format!: `${DelegationFileFormat}`
  @Field(() => Boolean, { defaultValue: true, description: 'Tells what would become of it, and keeps nothing' })
  dryRun!: boolean
}

@ObjectType({ description: 'What becomes, or would become, of a line of a file' })
export class DelegationLine {
  @Field(() => Int, { description: 'Its number, from 1 on; the header and empty lines count' })
  number!: number
  @Field(() => DelegationLineOutcome, { description: 'What becomes of it' })
  outcome!: `${DelegationLineOutcome}`
  @Field(() => [String], { description: 'What is wrong with it, by member and never with its values' })
  problems!: readonly string[]
}

@ObjectType({ description: 'What becomes, or would become, of a file of delegations' })
export class ImportDelegationsPayload {
  @Field(() => Boolean, { description: 'Whether all of it is kept; false: nothing is, because it was a dry run or a line is wrong' })
  kept!: boolean
  @Field(() => Int, { description: 'New ones' })
  created!: number
  @Field(() => Int, { description: 'Known ones that say something new' })
  updated!: number
  @Field(() => Int, { description: 'Known ones that say nothing new' })
  unchanged!: number
  @Field(() => Int, { description: 'Lines that are wrong' })
  refused!: number
  @Field(() => [DelegationLine], { description: 'Each line that is not empty, in the order of the file' })
  lines!: readonly DelegationLine[]
}
