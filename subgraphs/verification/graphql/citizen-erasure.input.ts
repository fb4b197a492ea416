import { Field, InputType, Int } from 'type-graphql'
import type { CitizenReferences, VoterReference } from '../../../engines/citizen-data/citizen-data.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { blank, outOfRange, tooLong, tooMany, type Violation } from '../../../foundation/validation/violation.ts'

/** longer than any code or reference that a component accepts */
const maxLength = 512
const maxReferences = 100
const maxRecords = 1000

@InputType({ description: 'A voter: `service` and `voterRef`, or `issuer` and `subject`.' })
export class CitizenVoterInput {
  @Field(() => String, { nullable: true, description: 'Name of the service key that cast the votes.' })
  service?: string | null
  @Field(() => String, { nullable: true, description: 'The `voterRef` that the service sent.' })
  voterRef?: string | null
  @Field(() => String, { nullable: true, description: 'Issuer of a user who voted, as in the access token.' })
  issuer?: string | null
  @Field(() => String, { nullable: true, description: 'Subject identifier of the user at the issuer.' })
  subject?: string | null
}

@InputType({ description: 'The citizen to erase.' })
export class EraseCitizenInput {
  @Field(() => String, { description: 'Citizen code, assigned by the calling services.' })
  code!: string
  @Field(() => [String], {
    nullable: true,
    description: 'References under which services sent expressions of the citizen (`authorRef`), at most 100; they are not citizen codes.',
  })
  authorRefs?: string[] | null
  @Field(() => [CitizenVoterInput], { nullable: true, description: 'References under which the citizen voted, at most 100.' })
  voters?: CitizenVoterInput[] | null
}

@InputType({ description: 'The citizen whose data to return.' })
export class ExportCitizenInput extends EraseCitizenInput {
  @Field(() => Int, { defaultValue: 200, description: 'Maximum number of records of the page, at most 1,000.' })
  first!: number
  @Field(() => String, { nullable: true, description: 'Returns the records after this cursor.' })
  after?: string | null
}

/** Validates the references. @throws {InvalidInput} */
export function referencesOf(input: EraseCitizenInput): CitizenReferences {
  const { code, authorRefs, voters } = input
  const references = authorRefs ?? []
  const named = voters ?? []
  const voterReferences = named.map(voterOf)
  refuseViolations([
    ...violationsOf(['code'], code),
    ...(references.length > maxReferences ? [tooMany(['authorRefs'], maxReferences, references.length)] : []),
    ...(named.length > maxReferences ? [tooMany(['voters'], maxReferences, named.length)] : []),
    ...references.slice(0, maxReferences).flatMap((ref, index) => violationsOf(['authorRefs', index], ref)),
    ...named.slice(0, maxReferences).flatMap((voter, index) => [
      ...(voterReferences[index] === undefined
        ? [
            {
              code: 'mismatch',
              path: ['voters', index],
              message: 'Input should have `service` and `voterRef`, or `issuer` and `subject`',
            } as const,
          ]
        : []),
      ...Object.entries(voter).flatMap(([member, value]) => (value == null ? [] : violationsOf(['voters', index, member], value))),
    ]),
  ])
  return { code, authorRefs: references, voters: voterReferences.filter((voter) => voter !== undefined) }
}

/** @throws {InvalidInput} for a page size out of range */
export function recordsOf({ first }: ExportCitizenInput): number {
  refuseViolations(first < 1 || first > maxRecords ? [outOfRange(['first'], 1, maxRecords)] : [])
  return first
}

function voterOf({ service, voterRef, issuer, subject }: CitizenVoterInput): VoterReference | undefined {
  if (service != null && voterRef != null && issuer == null && subject == null) return { service, voterRef }
  if (service == null && voterRef == null && issuer != null && subject != null) return { issuer, subject }
  return undefined
}

function violationsOf(path: readonly (string | number)[], value: string): readonly Violation[] {
  if (value.trim() === '') return [blank(path)]
  return value.length > maxLength ? [tooLong(path, maxLength)] : []
}
