import { randomUUID } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { type AuditEntry, type AuditedRequest, AuditTrail } from '../../engines/audit/audit-trail.ts'
import type { Database, Queryable } from '../../engines/relational/database.ts'

/** Records an action of a command, in a transaction if given. Throws EngineUnavailable: an action that cannot be recorded must not happen. */
export type RecordCommand = (entry: Omit<AuditEntry, 'outcome'>, tx?: Queryable) => Promise<void>

/** Creates the audit record function of one command: all of its records have one request id and the operator as subject. */
export function commandTrail(database: Database): RecordCommand {
  const trail = new AuditTrail(database)
  const by = operator()
  return (entry, tx) => trail.record(by, [{ ...entry, outcome: 'done' }], tx)
}

/** Returns the operator: account and machine (`root@node-1`); the issuer is `command`. */
function operator(): AuditedRequest {
  const user = { issuer: 'command', subject: operatorName(), roles: [], groups: [], expiresAt: Number.POSITIVE_INFINITY }
  return { principal: { user }, requestId: `command-${randomUUID()}` }
}

/** Returns the account and the machine of the operator. */
export const operatorName = (): string => `${accountName()}@${hostname()}`

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // a container user id may have no name
    return String(process.getuid?.())
  }
}
