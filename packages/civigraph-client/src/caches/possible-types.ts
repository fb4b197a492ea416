/**
 * Which types stand behind the interface and the union of the graph. Without it a cache cannot tell whether a fragment `on Node` or
 * `on MapFeature` is of what it has, and leaves its fields out.
 */
export const possibleTypes: Readonly<Record<string, string[]>> = {
  MapFeature: ['MapCluster', 'MapPoint'],
  Node: [
    'Account',
    'Administrator',
    'AuditRecord',
    'CallbackDelivery',
    'Citizen',
    'ContentNode',
    'DeadLetter',
    'Delegation',
    'Domain',
    'Expression',
    'Group',
    'ServiceKey',
    'Tenant',
    'VerificationBatch',
    'VerificationJob',
  ],
}
