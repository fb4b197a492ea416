/** A part of an entity's key: the field, and its type in the graph. */
export interface KeyPart {
  readonly field: string
  readonly type: 'ID!' | 'String!'
  /** known by its form; what looks otherwise names nothing */
  readonly isUuid?: true
}

/** Every entity of the platform by its type, with the key that its component knows it by. An entity that is missing here has no `nodeId`. */
export const entities: Readonly<Record<string, readonly KeyPart[]>> = {
  Administrator: [{ field: 'id', type: 'ID!' }],
  Citizen: [{ field: 'code', type: 'String!' }],
  ContentNode: [
    { field: 'tenantId', type: 'String!' },
    { field: 'id', type: 'ID!' },
  ],
  Delegation: [{ field: 'id', type: 'ID!' }],
  Domain: [{ field: 'id', type: 'ID!' }],
  Expression: [{ field: 'id', type: 'ID!', isUuid: true }],
  Group: [{ field: 'id', type: 'ID!' }],
  Tenant: [{ field: 'id', type: 'ID!' }],
  VerificationBatch: [{ field: 'id', type: 'ID!', isUuid: true }],
  VerificationJob: [{ field: 'id', type: 'ID!', isUuid: true }],
}
