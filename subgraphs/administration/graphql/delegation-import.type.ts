import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import type { DelegationProblem } from '../delegations/delegation-record.ts'

export enum DelegationFileFormat {
  CSV = 'csv',
  NDJSON = 'ndjson',
}
registerEnum(DelegationFileFormat, {
  name: 'DelegationFileFormat',
  description: 'Format of a file of delegations.',
  values: {
    CSV: 'Comma-separated values with a header row; fields contain no line breaks.',
    NDJSON: 'One JSON object per line.',
  },
})

export enum DelegationLineOutcome {
  CREATED = 'created',
  UPDATED = 'updated',
  UNCHANGED = 'unchanged',
  REFUSED = 'refused',
}
registerEnum(DelegationLineOutcome, {
  name: 'DelegationLineOutcome',
  description: 'Result of a line of a file of delegations.',
  values: {
    CREATED: 'The delegation is new.',
    UPDATED: 'The delegation changes.',
    UNCHANGED: 'The line has the same data as, or older data than, the stored delegation or another line.',
    REFUSED: 'The line is invalid.',
  },
})

@InputType({ description: 'A file of delegations to import.' })
export class ImportDelegationsInput {
  @Field(() => String, {
    description: 'Content of the file, at most 1,000 delegations; use the command "delegations import" for larger files.',
  })
  file!: string
  @Field(() => DelegationFileFormat, { description: 'Format of the file.' })
  format!: `${DelegationFileFormat}`
  @Field(() => Boolean, { defaultValue: true, description: 'Whether to return the results without storing anything.' })
  dryRun!: boolean
}

@ObjectType({ description: 'An invalid field of a line of a file of delegations.' })
export class DelegationLineEntry implements DelegationProblem {
  @Field(() => String, { nullable: true, description: 'Name of the field in the file; null for the whole line.' })
  field!: string | null
  @Field(() => String, { description: 'Description of the problem, without the value of the field.' })
  message!: string
}

@ObjectType({ description: 'Result of a line of a file of delegations; in a dry run, the result that an import would have.' })
export class DelegationLine {
  @Field(() => Int, { description: 'Number of the line, from 1; the header and empty lines count.' })
  number!: number
  @Field(() => DelegationLineOutcome, { description: 'Result of the line.' })
  outcome!: `${DelegationLineOutcome}`
  @Field(() => [DelegationLineEntry], { description: 'Invalid fields of the line; empty when it is valid.' })
  entries!: readonly DelegationLineEntry[]
  @Field(() => [String], { description: '`entries` as text.', ...deprecated('entries') })
  problems!: readonly string[]
}

@ObjectType({ description: 'Result of `importDelegations`; in a dry run, the result that an import would have.' })
export class ImportDelegationsPayload {
  @Field(() => Boolean, { description: 'Whether the file was stored; false for a dry run and when a line is invalid.' })
  kept!: boolean
  @Field(() => Int, { description: 'Number of delegations that are new.' })
  created!: number
  @Field(() => Int, { description: 'Number of delegations that change.' })
  updated!: number
  @Field(() => Int, { description: 'Number of delegations that do not change.' })
  unchanged!: number
  @Field(() => Int, { description: 'Number of invalid lines.' })
  refused!: number
  @Field(() => [DelegationLine], { description: 'Result of each non-empty line, in file order.' })
  lines!: readonly DelegationLine[]
}
