import { Counter, type Registry } from 'prom-client'
import type { AuditNote } from './audit-trail.ts'

/** Counts audit records by kind for Prometheus, without names or targets. The components of a process share the counter. */
export function auditCounter(registry: Registry): AuditNote {
  const name = 'civigraph_audit_records_total'
  const known = registry.getSingleMetric(name)
  const records =
    known instanceof Counter
      ? known
      : new Counter({
          name,
          help: 'Audit records by action and by whether it was refused',
          labelNames: ['action', 'outcome'] as const,
          registers: [registry],
        })
  return ({ action, outcome }) => records.inc({ action, outcome })
}
