import type { ComponentName } from '../../foundation/process/build-info.ts'

/** A field of an entity's key and its GraphQL type. */
export interface KeyPart {
  readonly field: string
  readonly type: 'ID!' | 'String!'
  readonly description: string
  /** whether the value must be a UUID; other values match no entity */
  readonly isUuid?: true
}

export interface Entity {
  /** the component that resolves the entity */
  readonly component: ComponentName
  /** as in the component: composition would otherwise choose between two descriptions */
  readonly description: string
  readonly key: readonly KeyPart[]
}

/** Entities of the platform by type, with the keys of their components. An entity that is missing here has no `nodeId`. */
export const entities: Readonly<Record<string, Entity>> = {
  Account: {
    component: 'administration',
    description: 'An account at the embedded issuer; its password is never returned.',
    key: [{ field: 'id', type: 'ID!', description: 'Id of the account, the `sub` of its tokens.' }],
  },
  AuditRecord: {
    component: 'administration',
    description: 'An entry in the audit trail. It contains no content, and of a citizen at most the code or a pseudonym.',
    key: [{ field: 'id', type: 'ID!', description: 'Sequence number of the entry.' }],
  },
  CallbackDelivery: {
    component: 'verification',
    description: 'The callback of a finished job and its delivery state.',
    key: [{ field: 'id', type: 'ID!', description: 'Id of the callback; the receiver sees it as `webhook-id`.' }],
  },
  DelegationScenario: {
    component: 'administration',
    description: 'The saved question and assumptions of a simulation, without its outcome.',
    key: [{ field: 'id', type: 'ID!', isUuid: true, description: 'Id of the scenario.' }],
  },
  Administrator: {
    component: 'administration',
    description: 'An administrator of the platform, as the identity provider identifies them.',
    key: [{ field: 'id', type: 'ID!', description: 'Subject identifier (`sub`) of the administrator at the identity provider.' }],
  },
  Citizen: {
    component: 'verification',
    description:
      'A citizen, identified by a code that the calling services assign. Expressions and votes cannot be reached from here: they are stored under pseudonyms only.',
    key: [{ field: 'code', type: 'String!', description: 'Citizen code, assigned by the calling services.' }],
  },
  ContentNode: {
    component: 'content',
    description: 'A node of a tenant’s content tree.',
    key: [
      { field: 'tenantId', type: 'ID!', description: 'Id of the tenant; together with `id`, the key of the node.' },
      { field: 'id', type: 'ID!', description: 'Id of the node, unique within its tenant.' },
    ],
  },
  DeadLetter: {
    component: 'classification',
    description: 'An item that could not be processed and waits for an operator. Its content is never returned, because it is personal.',
    key: [{ field: 'id', type: 'ID!', description: 'Id of the expression, or number of the message.' }],
  },
  Delegation: {
    component: 'administration',
    description: 'The right of one citizen to act for another.',
    key: [{ field: 'id', type: 'ID!', description: 'Id of the delegation.' }],
  },
  Domain: {
    component: 'exploration',
    description: 'A domain or sub-domain of civic life.',
    key: [{ field: 'id', type: 'ID!', description: 'Id of the domain.' }],
  },
  Expression: {
    component: 'classification',
    description: 'An expression of a citizen, without personal data.',
    key: [{ field: 'id', type: 'ID!', isUuid: true, description: 'Id of the expression.' }],
  },
  Group: {
    component: 'administration',
    description: 'A group in which delegations are valid and whose administrators can read them.',
    key: [{ field: 'id', type: 'ID!', description: 'Id of the group.' }],
  },
  ServiceKey: {
    component: 'administration',
    description: 'A service key without its secret.',
    key: [{ field: 'id', type: 'ID!', description: 'Id of the key.' }],
  },
  Tenant: {
    component: 'content',
    description: 'A tenant, which owns one content tree.',
    key: [{ field: 'id', type: 'ID!', description: 'Name of the tenant: 1 to 63 characters of a-z, 0-9 and -.' }],
  },
  VerificationBatch: {
    component: 'verification',
    description: 'Verifications that were submitted together.',
    key: [{ field: 'id', type: 'ID!', isUuid: true, description: 'Id of the batch.' }],
  },
  VerificationJob: {
    component: 'verification',
    description: 'An identity verification.',
    key: [{ field: 'id', type: 'ID!', isUuid: true, description: 'Id of the job.' }],
  },
}
