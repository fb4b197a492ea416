import { Counter, type Registry } from 'prom-client'
import type { AuditNote } from './audit-trail.ts'

/** Prometheus hears what is accounted for, by kind: nobody's name, and nothing of what it was done to. The components of a process share the counter. */
export function auditCounter(registry: Registry): AuditNote {
  const name = 'civigraph_audit_records_total'
  const known = registry.getSingleMetric(name)
  const records =
    known instanceof Counter
      ? known
      : new Counter({
          name,
          help: 'Records of the audit trail, by what was done and whether it was refused',
          labelNames: ['action', 'outcome'] as const,
          registers: [registry],
        })
  return ({ action, outcome }) => records.inc({ action, outcome })
}
