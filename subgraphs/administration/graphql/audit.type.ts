import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import type { AuditRow } from '../../../engines/audit/read-audit.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { deprecated } from '../../../foundation/graphql/deprecated.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime, Json } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'

export enum AuditOutcome {
  DONE = 'done',
  REFUSED = 'refused',
}
registerEnum(AuditOutcome, {
  name: 'AuditOutcome',
  description: 'Outcome of an audited action.',
  values: {
    DONE: 'The action was performed.',
    REFUSED: 'The action was attempted and refused.',
  },
})

export enum AuditedDecision {
  VERIFIED = 'verified',
  REJECTED = 'rejected',
  BETTER_PHOTOGRAPHS = 'better_photographs',
}
registerEnum(AuditedDecision, {
  name: 'AuditedDecision',
  description: 'Decision of a reviewer in the audit trail.',
  values: {
    VERIFIED: 'The identity was verified.',
    REJECTED: 'The identity was rejected.',
    BETTER_PHOTOGRAPHS: 'Better photographs were requested.',
  },
})

@ObjectType({ description: 'A detail of an audited action, such as a number of jobs or a filter.' })
export class AuditDetail {
  @Field(() => String, { description: 'Name of the detail.' })
  key!: string
  @Field(() => String, { description: 'Value of the detail, as JSON text.', ...deprecated('json') })
  value!: string
  @Field(() => Json, { description: 'Value of the detail: a number, text, list or object.' })
  json!: unknown
}

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'An entry in the audit trail. It contains no content, and of a citizen at most the code or a pseudonym.',
})
export class AuditRecord {
  @Field(() => ID, { description: 'Sequence number of the entry.' })
  id!: string
  @Field(() => DateTime, { description: 'Time of the action.' })
  at!: Date
  @Field(() => String, { description: 'Name of the action, such as login or citizen.erase.' })
  action!: string
  @Field(() => AuditOutcome, { description: 'Outcome of the action.' })
  outcome!: AuditRow['outcome']
  @Field(() => String, {
    nullable: true,
    description:
      'Subject identifier (`sub`) of the person who performed the action; for a command, the user account and the host (`root@node-1`); null for a service.',
  })
  subject!: string | null
  @Field(() => String, { nullable: true, description: 'Name of the service key that was used; null when the request had no service key.' })
  service!: string | null
  @Field(() => String, {
    nullable: true,
    description:
      'Id of the object of the action; a digest for an account and for a citizen who was verified or erased; null when the action has no object.',
  })
  target!: string | null
  @Field(() => String, { nullable: true, description: 'Network address of the client; null when unknown.' })
  address!: string | null
  @Field(() => String, { description: 'Id of the request, as in logs and responses.' })
  requestId!: string
  @Field(() => [AuditDetail], { description: 'Further details of the action.' })
  details!: readonly AuditDetail[]
}

@ObjectType({ description: 'An edge of `AuditRecordConnection`: an entry in the audit trail and its cursor.' })
export class AuditRecordEdge {
  @Field(() => AuditRecord, { description: 'The entry.' })
  node!: AuditRecord
  @Field(() => String, { description: 'Cursor of the entry.' })
  cursor!: string
}

@ObjectType({ description: 'A page of entries in the audit trail.' })
export class AuditRecordConnection implements CountablePage {
  @Field(() => [AuditRecordEdge], { description: 'The entries of the page with their cursors.' })
  edges!: readonly AuditRecordEdge[]
  @Field(() => [AuditRecord], { description: 'The entries of the page.' })
  nodes!: readonly AuditRecord[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Filter for the audit trail.' })
export class AuditFilterInput {
  @Field(() => String, { nullable: true, description: 'Returns only entries with this action.' })
  action?: string | null
  @Field(() => [String], { nullable: true, description: 'Returns only entries with one of these actions, at most 100.' })
  actions?: string[] | null
  @Field(() => String, {
    nullable: true,
    description: 'Returns only actions of this person: a subject identifier, or the e-mail address of an account of the embedded issuer.',
  })
  person?: string | null
  @Field(() => AuditedDecision, { nullable: true, description: 'Returns only decisions of reviewers with this result.' })
  decision?: AuditedDecision | null
  @Field(() => AuditOutcome, { nullable: true, description: 'Returns only entries with this outcome.' })
  outcome?: AuditRow['outcome'] | null
  @Field(() => String, { nullable: true, description: 'Returns only actions of the person with this subject identifier.' })
  subject?: string | null
  @Field(() => String, { nullable: true, description: 'Returns only actions of the service key with this name.' })
  service?: string | null
  @Field(() => String, { nullable: true, description: 'Returns only actions on this object.' })
  target?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Returns only entries about the citizen with this code, which are stored under its pseudonym; not together with `target`.',
  })
  citizenCode?: string | null
  @Field(() => DateTime, { nullable: true, description: 'Returns only entries at or after this time.' })
  from?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Returns only entries before this time.' })
  to?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Former name of `from`.', ...deprecated('from') })
  since?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Former name of `to`.', ...deprecated('to') })
  until?: Date | null
}

export function typeOfRecord({ id, details, ...row }: AuditRow): AuditRecord {
  // a null detail, such as the group of a scenario without one, is omitted: `json` is not nullable
  const entries = Object.entries(details).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: JSON.stringify(value), json: value }],
  )
  return { ...row, id: String(id), details: entries.sort((one, other) => (one.key < other.key ? -1 : 1)) }
}
