import { bigint, json, pgTable, smallint, text, timestamp } from '../relational/drizzle.ts'

export const outbox = pgTable('outbox', {
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  queue: text('queue').notNull(),
  kind: text('kind').notNull(),
  content: json('content').notNull(),
  format: smallint('format').notNull().default(1),
  at: timestamp('at', { withTimezone: true }).notNull(),
})

export const outboxDeadLetter = pgTable('outbox_dead_letter', {
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  queue: text('queue').notNull(),
  kind: text('kind').notNull(),
  content: json('content').notNull(),
  format: smallint('format').notNull(),
  reason: text('reason').notNull(),
  at: timestamp('at', { withTimezone: true }).notNull(),
})
