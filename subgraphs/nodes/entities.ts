import type { ComponentName } from '../../foundation/process/build-info.ts'

/** A field of an entity's key and its GraphQL type. */
export interface KeyPart {
  readonly field: string
  readonly type: 'ID!' | 'String!'
  /** whether the value must be a UUID; other values match no entity */
  readonly isUuid?: true
}

export interface Entity {
  /** the component that resolves the entity */
  readonly component: ComponentName
  readonly key: readonly KeyPart[]
}

/** Entities of the platform by type, with the keys of their components. An entity that is missing here has no `nodeId`. */
export const entities: Readonly<Record<string, Entity>> = {
  Account: { component: 'administration', key: [{ field: 'id', type: 'ID!' }] },
  AuditRecord: { component: 'administration', key: [{ field: 'id', type: 'ID!' }] },
  CallbackDelivery: { component: 'verification', key: [{ field: 'id', type: 'ID!' }] },
  Administrator: { component: 'administration', key: [{ field: 'id', type: 'ID!' }] },
  Citizen: { component: 'verification', key: [{ field: 'code', type: 'String!' }] },
  ContentNode: {
    component: 'content',
    key: [
      { field: 'tenantId', type: 'ID!' },
      { field: 'id', type: 'ID!' },
    ],
  },
  DeadLetter: { component: 'classification', key: [{ field: 'id', type: 'ID!' }] },
  Delegation: { component: 'administration', key: [{ field: 'id', type: 'ID!' }] },
  Domain: { component: 'exploration', key: [{ field: 'id', type: 'ID!' }] },
  Expression: { component: 'classification', key: [{ field: 'id', type: 'ID!', isUuid: true }] },
  Group: { component: 'administration', key: [{ field: 'id', type: 'ID!' }] },
  ServiceKey: { component: 'administration', key: [{ field: 'id', type: 'ID!' }] },
  Tenant: { component: 'content', key: [{ field: 'id', type: 'ID!' }] },
  VerificationBatch: { component: 'verification', key: [{ field: 'id', type: 'ID!', isUuid: true }] },
  VerificationJob: { component: 'verification', key: [{ field: 'id', type: 'ID!', isUuid: true }] },
}
