import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { byEnumName } from '../../../foundation/graphql/enum-names.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import { type ServiceScope, serviceScopes } from '../../../foundation/principal.ts'

const Scope = byEnumName(serviceScopes)
registerEnumType(Scope, {
  name: 'ServiceScope',
  description:
    'SUBMIT: send verifications in; RESULTS: fetch its own; RESULTS_ALL: those of all services; VOTES_WRITE: vote for citizens; ADMIN: what administrators may',
})

export enum ServiceKeySource {
  DATABASE = 'database',
  SETTINGS = 'settings',
}
registerEnumType(ServiceKeySource, {
  name: 'ServiceKeySource',
  description:
    'DATABASE: made, rotated and revoked with "npm run civigraph -- keys"; SETTINGS: given at the start, changed where that is set',
})

@Directive('@key(fields: "id")')
@Authorise(userWith('super_admin'))
@ObjectType({ description: 'What is known of a key by which a service asks; never the key itself' })
export class ServiceKey {
  @Field(() => ID, { description: 'Its id' })
  id!: string
  @Field(() => String, { description: 'Name of the service, as the audit trail has it' })
  name!: string
  @Field(() => [Scope], { description: 'What the service may do with it here; ADMIN counts only with ADMIN_AUTH=token-or-key' })
  scopes!: readonly ServiceScope[]
  @Field(() => ServiceKeySource, { description: 'Where it is kept' })
  source!: `${ServiceKeySource}`
  @Field(() => DateTime, { nullable: true, description: 'When it was made; null for one of the settings' })
  createdAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'When it ends, or has ended; null: not by itself' })
  endsAt!: Date | null
}

@ObjectType({ description: 'A key in a list' })
export class ServiceKeyEdge {
  @Field(() => String, { description: 'Its place in the list' })
  cursor!: string
  @Field(() => ServiceKey, { description: 'The key' })
  node!: ServiceKey
}

@ObjectType({ description: 'A page of keys of services' })
export class ServiceKeyConnection implements Counted {
  @Field(() => [ServiceKeyEdge], { description: 'The keys with their places' })
  edges!: readonly ServiceKeyEdge[]
  @Field(() => [ServiceKey], { description: 'The keys' })
  nodes!: readonly ServiceKey[]
  @Field(() => PageInfo, { description: 'Where this page stands' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}
