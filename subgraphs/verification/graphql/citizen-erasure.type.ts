import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { CitizenDataComponent, ErasableKind, RemainingKind } from '../../../engines/citizen-data/citizen-data.ts'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import { Citizen } from './verification.type.ts'

export const erasers = [userWith('super_admin')] as const

enum CitizenDataComponentName {
  VERIFICATION = 'verification',
  DELEGATIONS = 'delegations',
  EXPRESSIONS = 'expressions',
  VOTES = 'votes',
  AUDIT = 'audit',
}
registerEnum(CitizenDataComponentName, {
  name: 'CitizenDataComponent',
  description: 'A part of the platform that stores data about citizens.',
  values: {
    VERIFICATION: 'Identity verification: jobs, images, results, reviews and face templates.',
    DELEGATIONS: 'Delegations given and received.',
    EXPRESSIONS: 'Expressions, found by `authorRefs`.',
    VOTES: 'Votes, found by `voters`.',
    AUDIT: 'The audit trail and backups.',
  },
})

enum ErasableKindName {
  VERIFICATIONS = 'verifications',
  FACE_TEMPLATES = 'face_templates',
  CHALLENGES = 'challenges',
  DELEGATIONS = 'delegations',
  REGISTRATIONS = 'registrations',
  SCENARIOS = 'scenarios',
  MESSAGES = 'messages',
  EXPRESSIONS = 'expressions',
  REPORTS = 'reports',
  VOTES = 'votes',
}
registerEnum(ErasableKindName, {
  name: 'ErasableKind',
  description: 'Data that an erasure removes.',
  values: {
    VERIFICATIONS: 'Verifications of all callers in every status, with images, results, reviews and callbacks.',
    FACE_TEMPLATES: 'Faces stored for the search of duplicates.',
    CHALLENGES: 'Challenges of liveness and chip checks.',
    DELEGATIONS: 'Delegations of the citizen: they are ended, and the citizen code in them is replaced by a pseudonym.',
    REGISTRATIONS: 'The entry in the register of citizens, with the outcomes of verifications.',
    SCENARIOS: 'Saved scenarios that name the citizen: the citizen is removed from them.',
    MESSAGES: 'Undeliverable messages about delegations of the citizen.',
    EXPRESSIONS: 'Expressions whose author a service key has stated, with their votes.',
    REPORTS: 'Reports on expressions, by accounts of the citizen.',
    VOTES: 'Verified votes.',
  },
})

enum RemainingKindName {
  PSEUDONYMOUS_DELEGATIONS = 'pseudonymous_delegations',
  UNVERIFIED_EXPRESSIONS = 'unverified_expressions',
  UNVERIFIED_VOTES = 'unverified_votes',
  WITHDRAWN_IDS = 'withdrawn_ids',
  UNREFERENCED_DATA = 'unreferenced_data',
  AUDIT_RECORDS = 'audit_records',
  BACKUPS = 'backups',
}
registerEnum(RemainingKindName, {
  name: 'RemainingKind',
  description: 'Data that an erasure does not remove, and the reason.',
  values: {
    PSEUDONYMOUS_DELEGATIONS: 'Ended delegations under the pseudonym: they also concern the other citizen.',
    UNVERIFIED_EXPRESSIONS: 'Expressions whose author reference was sent without a service key, so that it may be another person’s.',
    UNVERIFIED_VOTES: 'Votes whose voter is not verified.',
    WITHDRAWN_IDS: 'Ids of withdrawn expressions, so that their texts cannot return.',
    UNREFERENCED_DATA: 'Data under references that the request does not contain; it is not stored under citizen codes.',
    AUDIT_RECORDS: 'Audit entries under the pseudonym: they document access to the data.',
    BACKUPS: 'Backups and write-ahead logs, until the operator’s retention ends.',
  },
})

@ObjectType({ description: 'A count of erased data.' })
export class ErasedData {
  @Field(() => ErasableKindName, { description: 'Kind of the data.' })
  kind!: ErasableKind
  @Field(() => Int, { description: 'Number of erased objects.' })
  count!: number
}

@ObjectType({ description: 'Data that remains, and the reason in its kind.' })
export class RemainingCitizenData {
  @Field(() => RemainingKindName, { description: 'Kind of the data.' })
  kind!: RemainingKind
  @Field(() => Int, { nullable: true, description: 'Number of objects; null when they cannot be counted.' })
  count!: number | null
  @Field(() => [ID], {
    description: 'Ids of the first 100 expressions concerned, for a manual decision; empty for other kinds.',
  })
  expressionIds!: readonly string[]
}

@Authorise(...erasers)
@ObjectType({ description: 'What an erasure removes from one component, and what remains.' })
export class CitizenDataReport {
  @Field(() => CitizenDataComponentName, { description: 'The component.' })
  component!: CitizenDataComponent
  @Field(() => Boolean, { description: 'Whether the component has erased the data; false in a preview and while the erasure runs.' })
  isComplete!: boolean
  @Field(() => [ErasedData], { description: 'Data that was erased, or would be in a preview; kinds without objects are omitted.' })
  erased!: readonly ErasedData[]
  @Field(() => [RemainingCitizenData], {
    description: 'Data that remains; empty until the component is complete. Kinds without objects are omitted.',
  })
  remaining!: readonly RemainingCitizenData[]
}

@Authorise(...erasers)
@ObjectType({ description: 'An erasure of the data about a citizen in all components. After an interruption it continues by itself.' })
export class CitizenErasure {
  @Field(() => ID, { description: 'Id of the erasure.' })
  id!: string
  @Field(() => String, { description: 'Pseudonym of the citizen, as in the audit trail.' })
  pseudonym!: string
  @Field(() => DateTime, { description: 'Time of the request.' })
  requestedAt!: Date
  @Field(() => DateTime, { nullable: true, description: 'Time at which all components were complete; null while the erasure runs.' })
  completedAt!: Date | null
  @Field(() => Boolean, {
    description: 'Whether no component had data about this citizen, which may mean that the code is wrong; false while the erasure runs.',
  })
  isUnknown!: boolean
  @Field(() => [CitizenDataReport], { description: 'The results of the components, in the order of erasure.' })
  components!: readonly CitizenDataReport[]
  @Field(() => String, {
    description:
      'Absolute URL of the certificate as PDF (REST_PUBLIC_URLS), for a SUPER_ADMIN; `?lang=` selects `en`, `fr` or `ar`. 409 while the erasure runs.',
  })
  certificateUrl!: string
}

@ObjectType({ description: 'The file of a certificate of erasure.' })
export class ErasureCertificateFile {
  @Field(() => ID, { description: 'Id of the file.' })
  id!: string
  @Field(() => Int, { description: 'Size of the file in bytes.' })
  bytes!: number
  @Field(() => String, { description: 'Media type of the file.' })
  mediaType!: string
}

@ObjectType({ description: 'Result of `eraseCitizen`.' })
export class EraseCitizenPayload {
  @Field(() => Citizen, { description: 'The citizen who was erased.' })
  citizen!: Citizen
  @Field(() => Int, { description: 'Number of jobs erased, of all callers and in every status.' })
  erasedJobs!: number
  @Field(() => [ID], { description: 'Ids of the erased jobs.' })
  erasedJobIds!: readonly string[]
  @Field(() => [ID], { description: 'Global ids (Node) of the erased jobs and delegations, at most 1,000, for cache invalidation.' })
  deletedNodeIds!: readonly string[]
  @Field(() => CitizenErasure, {
    description: 'The erasure in all components; while `completedAt` is null it continues, and `citizenErasure` returns its progress.',
  })
  erasure!: CitizenErasure
}

@Authorise(...erasers)
@ObjectType({ description: 'A page of the data about a citizen.' })
export class ExportCitizenPage {
  @Field(() => String, {
    description:
      'The data as NDJSON: a record per line with `component` and `type`. Images are described by size and SHA-256. Concatenate the pages.',
  })
  ndjson!: string
  @Field(() => Int, { description: 'Number of records of the page.' })
  count!: number
  @Field(() => String, { nullable: true, description: 'Cursor for `after` of the next page; null on the last page.' })
  endCursor!: string | null
}
