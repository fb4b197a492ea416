import type { Principal } from '../../foundation/principal.ts'
import type { Database, Queryable } from '../relational/database.ts'
import type { AuditAction } from './audit-actions.ts'
import { auditRecord } from './tables.ts'

/** Is told what was written into the audit trail. */
export type AuditNote = (entry: AuditEntry) => void

/** Something that somebody must be able to account for later. Never a token, a password or a name. */
export interface AuditEntry {
  readonly action: AuditAction
  readonly outcome: 'done' | 'refused'
  /** what it was done to: an id or a digest */
  readonly target?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The request in which it was done; the context of a resolver is one. */
export interface AuditedRequest {
  readonly principal: Principal
  readonly requestId: string
  readonly address?: string
}

/** Who did what, for ever (or until an operator removes old rows). */
export class AuditTrail {
  readonly #database: Database
  readonly #note: AuditNote

  /** @param note - is told each record once it is written (default: nobody is) */
  constructor(database: Database, note: AuditNote = () => undefined) {
    this.#database = database
    this.#note = note
  }

  /** @throws {EngineUnavailable}: what cannot be accounted for is not done */
  async record(
    { principal, requestId, address }: AuditedRequest,
    entries: readonly AuditEntry[],
    tx: Queryable = this.#database.orm,
  ): Promise<void> {
    if (entries.length === 0) return
    await tx.insert(auditRecord).values(
      entries.map(({ action, outcome, target, details }) => ({
        action,
        outcome,
        issuer: principal.user?.issuer ?? null,
        subject: principal.user?.subject ?? null,
        service: principal.service?.name ?? null,
        target: target ?? null,
        address: address ?? null,
        requestId,
        details: details ?? {},
      })),
    )
    for (const entry of entries) this.#note(entry)
  }

  /** Records that the caller may not call a mutation. */
  recordRefusal(mutation: string, request: AuditedRequest): Promise<void> {
    return this.record(request, [{ action: 'mutation', outcome: 'refused', details: { mutation } }])
  }
}
