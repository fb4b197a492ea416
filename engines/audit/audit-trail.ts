import { createHash } from 'node:crypto'
import { Counter, type Registry } from 'prom-client'
import type { Principal } from '../../foundation/principal.ts'
import { excerpt } from '../../foundation/validation/values.ts'
import type { Database, Queryable } from '../relational/database.ts'
import { bigint, jsonb, pgTable, text, timestamp } from '../relational/drizzle.ts'
import type { AuditAction } from './audit-actions.ts'

export const auditRecord = pgTable('audit_record', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  action: text('action').notNull(),
  outcome: text('outcome', { enum: ['done', 'refused'] }).notNull(),
  issuer: text('issuer'),
  subject: text('subject'),
  service: text('service'),
  target: text('target'),
  address: text('address'),
  requestId: text('request_id').notNull(),
  details: jsonb('details').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
})

/** Called with each written audit record. */
export type AuditNote = (entry: AuditEntry) => void

/** An action that must be accounted for. Never contains a token, a password or a name. */
export interface AuditEntry {
  readonly action: AuditAction
  readonly outcome: 'done' | 'refused'
  /** target of the action: an id or a digest */
  readonly target?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The request of the action; a resolver context is one. */
export interface AuditedRequest {
  readonly principal: Principal
  readonly requestId: string
  readonly address?: string
}

/** The record of who did what, kept until an operator deletes old rows. */
export class AuditTrail {
  readonly #database: Database
  readonly #note: AuditNote

  /** @param note - called after each record is written (default: no-op) */
  constructor(database: Database, note: AuditNote = () => undefined) {
    this.#database = database
    this.#note = note
  }

  /** @throws {EngineUnavailable}: an action that cannot be recorded must not happen */
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
        target: target === undefined ? null : shortened(target),
        address: address ?? null,
        requestId,
        details: shortenedDetails(details ?? {}),
      })),
    )
    for (const entry of entries) this.#note(entry)
  }

  /** Records that the caller may not call a mutation. */
  recordRefusal(mutation: string, request: AuditedRequest): Promise<void> {
    return this.record(request, [{ action: 'mutation', outcome: 'refused', details: { mutation } }])
  }
}

/** longer than any id, digest or code: a page of the audit trail has a thousand records */
const maxCharacters = 500

/** Returns the start of a text of the caller, storable; one of this length or less is returned as it is. */
const shortened = (text: string): string => excerpt(text.toWellFormed().replaceAll('\u0000', '\ufffd'), maxCharacters)

/** Returns details whose texts, also in lists and objects, are shortened. */
function shortenedDetails(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const of = (value: unknown): unknown => {
    if (typeof value === 'string') return shortened(value)
    if (Array.isArray(value)) return value.map(of)
    return isPlainObject(value) ? shortenedDetails(value) : value
  }
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, of(value)]))
}

/** Whether a value is an object of members, not a Date or another one with a form of its own in JSON. */
const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Counts audit records by kind for Prometheus, without names or targets. The components of a process share the counter. */
export function auditCounter(registry: Registry): AuditNote {
  const name = 'civigraph_audit_records_total'
  const registered = registry.getSingleMetric(name)
  const records =
    registered instanceof Counter
      ? registered
      : new Counter({
          name,
          help: 'Audit records by action and by whether it was refused',
          labelNames: ['action', 'outcome'] as const,
          registers: [registry],
        })
  return ({ action, outcome }) => records.inc({ action, outcome })
}

/** Returns the audit target of an account, existing or not: a digest, because the typed name may be anything. */
export const accountTarget = (email: string): string =>
  `account:${createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')}`
