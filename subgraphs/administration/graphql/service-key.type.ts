import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Authorise, userWith } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { byEnumName, registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
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
    DATABASE:
      'The key is stored in the database and managed with `createServiceKey`, `rotateServiceKey` and `revokeServiceKey`, or "npm run civigraph -- keys".',
    SETTINGS: 'The key is set in the configuration of the platform.',
  },
})

@Directive('@key(fields: "id")')
@Authorise(userWith('super_admin'))
@ObjectType({ description: 'A service key without its secret.' })
export class ServiceKey {
  @Field(() => ID, { description: 'Id of the key.' })
  id!: string
  @Field(() => String, { description: 'Name of the service, as in the audit trail.' })
  name!: string
  @Field(() => [Scope], { description: 'Scopes of the key; ADMIN applies only with ADMIN_AUTH=token-or-key.' })
  scopes!: readonly ServiceScope[]
  @Field(() => ServiceKeySource, { description: 'Where the key is stored.' })
  source!: `${ServiceKeySource}`
  @Field(() => DateTime, { nullable: true, description: 'Time of creation; null for a key from the settings.' })
  createdAt!: Date | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which the key expires or expired; null when it has no expiry.' })
  endsAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time of the last use, to the minute; null for a key from the settings and one that was never used.',
  })
  lastUsedAt!: Date | null
}

@InputType({ description: 'A service key to create.' })
export class CreateServiceKeyInput {
  @Field(() => String, { description: 'Name of the service: 1 to 64 letters, digits, `_`, `.` or `-`.' })
  name!: string
  @Field(() => [Scope], { description: 'Scopes of the key, at least one.' })
  scopes!: ServiceScope[]
}

@InputType({ description: 'A service whose key is replaced.' })
export class RotateServiceKeyInput {
  @Field(() => String, { description: 'Name of the service.' })
  name!: string
  @Field(() => Int, { defaultValue: 24, description: 'Hours for which the former key and callback secret remain valid, 0 to 8760.' })
  overlapHours!: number
}

@InputType({ description: 'A service whose keys are revoked.' })
export class RevokeServiceKeyInput {
  @Field(() => String, { description: 'Name of the service.' })
  name!: string
}

@ObjectType({ description: 'The secrets of a service. They are returned once: the key is stored as a digest, the callback secret sealed.' })
export class ServiceKeySecrets {
  @Field(() => String, { description: 'Name of the service.' })
  name!: string
  @Field(() => [Scope], { description: 'Scopes of the key.' })
  scopes!: readonly ServiceScope[]
  @Field(() => String, { description: 'The key, sent in the header X-Service-API-Key.' })
  key!: string
  @Field(() => String, { description: 'Secret that verifies callbacks (Standard Webhooks), `whsec_…`.' })
  callbackSecret!: string
}

@ObjectType({ description: 'Result of `createServiceKey`.' })
export class CreateServiceKeyPayload {
  @Field(() => ServiceKeySecrets, { description: 'The secrets, returned once.' })
  secrets!: ServiceKeySecrets
}

@ObjectType({ description: 'Result of `rotateServiceKey`.' })
export class RotateServiceKeyPayload {
  @Field(() => ServiceKeySecrets, { description: 'The new secrets, returned once.' })
  secrets!: ServiceKeySecrets
}

@ObjectType({ description: 'Result of `revokeServiceKey`.' })
export class RevokeServiceKeyPayload {
  @Field(() => String, { description: 'Name of the service.' })
  name!: string
}

@ObjectType({ description: 'An edge of `ServiceKeyConnection`: a service key and its cursor.' })
export class ServiceKeyEdge {
  @Field(() => String, { description: 'Cursor of the key.' })
  cursor!: string
  @Field(() => ServiceKey, { description: 'The key.' })
  node!: ServiceKey
}

@ObjectType({ description: 'A page of service keys.' })
export class ServiceKeyConnection implements CountablePage {
  @Field(() => [ServiceKeyEdge], { description: 'The keys of the page with their cursors.' })
  edges!: readonly ServiceKeyEdge[]
  @Field(() => [ServiceKey], { description: 'The keys of the page.' })
  nodes!: readonly ServiceKey[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  readonly count!: () => Promise<number>
}
