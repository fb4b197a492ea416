import { Directive, Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql'
import type { AuditRow } from '../../../engines/audit/read-audit.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'

export enum AuditOutcome {
  DONE = 'done',
  REFUSED = 'refused',
}
registerEnumType(AuditOutcome, { name: 'AuditOutcome', description: 'DONE: it was done; REFUSED: it was tried' })

@ObjectType({ description: 'Something about what was done: a number of jobs, a filter' })
export class AuditDetail {
  @Field(() => String, { description: 'What it is' })
  key!: string
  @Field(() => String, { description: 'As JSON' })
  value!: string
}

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'Something that was done, for whoever has to account for it. It holds no content, and of citizens at most the code',
})
export class AuditRecord {
  @Field(() => ID, { description: 'Its number in the trail' })
  id!: string
  @Field(() => DateTime, { description: 'When' })
  at!: Date
  @Field(() => String, { description: 'What was done, such as login or citizen.erase' })
  action!: string
  @Field(() => AuditOutcome, { description: 'Whether it was done or refused' })
  outcome!: AuditRow['outcome']
  @Field(() => String, {
    nullable: true,
    description:
      'The issuer’s id (`sub`) of the person who did it; of a command the account that typed it and the machine (`root@node-1`); null for a service',
  })
  subject!: string | null
  @Field(() => String, { nullable: true, description: 'The name of the service key that it was done with' })
  service!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'What it was done to: an id; a digest for an account, and for a citizen who was verified or erased',
  })
  target!: string | null
  @Field(() => String, { nullable: true, description: 'The address that the request came from' })
  address!: string | null
  @Field(() => String, { description: 'Id of the request, as logs and answers have it' })
  requestId!: string
  @Field(() => [AuditDetail], { description: 'What else is known about it' })
  details!: readonly AuditDetail[]
}

@ObjectType({ description: 'A record in a list' })
export class AuditRecordEdge {
  @Field(() => AuditRecord, { description: 'The record' })
  node!: AuditRecord
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
}

@ObjectType({ description: 'A page of the audit trail' })
export class AuditRecordConnection implements Counted {
  @Field(() => [AuditRecordEdge], { description: 'The records with their places' })
  edges!: readonly AuditRecordEdge[]
  @Field(() => [AuditRecord], { description: 'The records' })
  nodes!: readonly AuditRecord[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}

@InputType({ description: 'Which records' })
export class AuditFilterInput {
  @Field(() => String, { nullable: true, description: 'What was done' })
  action?: string | null
  @Field(() => AuditOutcome, { nullable: true, description: 'Whether it was done or refused' })
  outcome?: AuditRow['outcome'] | null
  @Field(() => String, { nullable: true, description: 'Who did it: the issuer’s id of the person' })
  subject?: string | null
  @Field(() => String, { nullable: true, description: 'Who did it: the name of a service key' })
  service?: string | null
  @Field(() => String, { nullable: true, description: 'What it was done to' })
  target?: string | null
  @Field(() => DateTime, { nullable: true, description: 'From then on' })
  since?: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Before then' })
  until?: Date | null
}

export function typeOfRecord({ id, details, ...row }: AuditRow): AuditRecord {
  const told = Object.entries(details).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
  return { ...row, id: String(id), details: told.sort((one, other) => (one.key < other.key ? -1 : 1)) }
}
