import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../foundation/graphql/scalars.ts'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A tenant, which owns one content tree.' })
export class Tenant {
  @Field(() => ID, { description: 'Name of the tenant: 1 to 63 characters of a-z, 0-9 and -.' })
  readonly id!: string
}

@ObjectType({ description: 'Size of a content tree.' })
export class TenantStatistics {
  @Field(() => Int, { description: 'Number of nodes, including the root.' })
  readonly nodes!: number
  @Field(() => Int, { description: 'Greatest depth of a node; 0 for a tree that has only a root.' })
  readonly depth!: number
  @Field(() => Int, { description: 'Version of the tree that was counted.' })
  readonly version!: number
  @Field(() => DateTime, { description: 'Time at which the counted version was created.' })
  readonly changedAt!: Date
}
