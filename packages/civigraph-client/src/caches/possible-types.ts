/**
 * Types that implement the interface or belong to the union of the schema. Without this map a cache cannot match fragments such as `on
 * Node` and omits their fields.
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
    'DelegationScenario',
    'Domain',
    'Expression',
    'Group',
    'ServiceKey',
    'Tenant',
    'VerificationBatch',
    'VerificationJob',
  ],
}
