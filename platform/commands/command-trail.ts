import { randomUUID } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { type AuditEntry, type AuditedRequest, AuditTrail } from '../../engines/audit/audit-trail.ts'
import type { Database, Queryable } from '../../engines/relational/database.ts'

/** Writes what a command does, in a transaction where one is given. It throws EngineUnavailable: what cannot be accounted for is not done. */
export type RecordCommand = (entry: Omit<AuditEntry, 'outcome'>, tx?: Queryable) => Promise<void>

/** The audit trail, for one command: all that it does has one request id, and whoever typed it as its subject. */
export function commandTrail(database: Database): RecordCommand {
  const trail = new AuditTrail(database)
  const by = operator()
  return (entry, tx) => trail.record(by, [{ ...entry, outcome: 'done' }], tx)
}

/** Whoever types a command: their account on the machine, and the machine (`root@node-1`); the issuer is `command`. */
function operator(): AuditedRequest {
  const user = { issuer: 'command', subject: `${accountName()}@${hostname()}`, roles: [], groups: [], expiresAt: Number.POSITIVE_INFINITY }
  return { principal: { user }, requestId: `command-${randomUUID()}` }
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // a container may run under a number that has no name
    return String(process.getuid?.())
  }
}
