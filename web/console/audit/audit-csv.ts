import type { AuditTrailQuery } from '@civigraph/client/documents'
import { csvOf } from '../../components/csv.ts'

export type AuditRecord = NonNullable<AuditTrailQuery['auditTrail']>['nodes'][number]

const header = ['id', 'at', 'action', 'outcome', 'person', 'subject', 'service', 'target', 'address', 'request_id', 'details']

/** Returns audit records as CSV. */
export function auditCsv(records: readonly AuditRecord[]): string {
  return csvOf([
    header,
    ...records.map(({ id, at, action, outcome, administrator, subject, service, target, address, requestId, details }) => [
      Number(id),
      at,
      action,
      outcome,
      administrator?.email ?? '',
      subject ?? '',
      service ?? '',
      target ?? '',
      address ?? '',
      requestId,
      details.map(({ key, json }) => `${key}=${JSON.stringify(json)}`).join('; '),
    ]),
  ])
}
