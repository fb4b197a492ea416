import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { DateTime } from '../../../foundation/graphql/date-time.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import type { Counted } from '../../../foundation/graphql/total-count.ts'
import { type ServiceScope, serviceScopes } from '../../../foundation/principal.ts'

const Scope = byEnumName(serviceScopes)
registerEnum(Scope, {
  name: 'ServiceScope',
  description: 'Scope of a service key.',
  values: {
    SUBMIT: 'Submit verifications.',
    RESULTS: 'Read the results of the service’s own verifications.',
    RESULTS_ALL: 'Read the results of all services.',
    VOTES_WRITE: 'Vote on behalf of citizens.',
    ADMIN: 'Perform the actions of administrators.',
  },
})

export enum ServiceKeySource {
  DATABASE = 'database',
  SETTINGS = 'settings',
}
registerEnum(ServiceKeySource, {
  name: 'ServiceKeySource',
  description: 'Where a service key is stored.',
  values: {
    DATABASE: 'The key is stored in the database and managed with "npm run civigraph -- keys".',
    SETTINGS: 'The key is set in the configuration of the platform.',
  },
})

@Directive('@key(fields: "id")')
@Authorise(userWith('super_admin'))
@ObjectType({ description: 'A service key without its secret.' })
export class ServiceKey {
  @Field(() => ID, { description: 'Id of the key.' })
  id!: string
  @Field(() => String, { description: 'Name of the service, as in the audit log.' })
  name!: string
  @Field(() => [Scope], { description: 'Scopes of the key; ADMIN applies only with ADMIN_AUTH=token-or-key.' })
  scopes!: readonly ServiceScope[]
  @Field(() => ServiceKeySource, { description: 'Where the key is stored.' })
  source!: `${ServiceKeySource}`
  @Field(() => DateTime, { nullable: true, description: 'Time of creation; null for a key from the settings.' })
  createdAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which the key expires or expired; null when it has no expiry.' })
  endsAt!: Date | null
}

@ObjectType({ description: 'A service key and its cursor.' })
export class ServiceKeyEdge {
  @Field(() => String, { description: 'Cursor of the key.' })
  cursor!: string
  @Field(() => ServiceKey, { description: 'The key.' })
  node!: ServiceKey
}

@ObjectType({ description: 'A page of service keys.' })
export class ServiceKeyConnection implements Counted {
  @Field(() => [ServiceKeyEdge], { description: 'The keys of the page with their cursors.' })
  edges!: readonly ServiceKeyEdge[]
  @Field(() => [ServiceKey], { description: 'The keys of the page.' })
  nodes!: readonly ServiceKey[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}
