import type { CitizenDataComponent, ErasableKind, RemainingData } from '../../../engines/citizen-data/citizen-data.ts'
import { bytea, jsonb, millisecondMoment, pgTable, primaryKey, text, uuid } from '../../../engines/relational/drizzle.ts'

/** Erasures of citizens in all components. */
export const citizenErasure = pgTable('citizen_erasure', {
  id: uuid('id').primaryKey(),
  pseudonym: text('pseudonym').notNull(),
  /** code and references, encrypted; null when the erasure is complete */
  sealed: bytea('sealed'),
  wrappedKey: bytea('wrapped_key'),
  keyId: text('key_id'),
  issuer: text('issuer'),
  subject: text('subject'),
  address: text('address'),
  requestId: text('request_id').notNull(),
  requestedAt: millisecondMoment('requested_at').notNull().defaultNow(),
  touchedAt: millisecondMoment('touched_at').notNull().defaultNow(),
  completedAt: millisecondMoment('completed_at'),
})

/** Erased counts by kind. */
export interface ErasedCounts {
  readonly counts: Readonly<Partial<Record<ErasableKind, number>>>
  /** type and id of erased objects */
  readonly nodes: readonly (readonly [type: string, id: string])[]
}

/** The part of an erasure that one component performs. */
export const citizenErasurePart = pgTable(
  'citizen_erasure_part',
  {
    erasureId: uuid('erasure_id').notNull(),
    component: text('component').$type<CitizenDataComponent>().notNull(),
    erased: jsonb('erased').$type<ErasedCounts>().notNull(),
    remaining: jsonb('remaining').$type<readonly RemainingData[]>(),
    erasedAt: millisecondMoment('erased_at'),
  },
  (table) => [primaryKey({ columns: [table.erasureId, table.component] })],
)

export type ErasureRow = typeof citizenErasure.$inferSelect
export type ErasurePartRow = typeof citizenErasurePart.$inferSelect
