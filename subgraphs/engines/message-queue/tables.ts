import { bigint, json, pgTable, text, timestamp } from '../relational/drizzle.ts'

export const outbox = pgTable('outbox', {
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  queue: text('queue').notNull(),
  kind: text('kind').notNull(),
  content: json('content').notNull(),
  at: timestamp('at', { withTimezone: true }).notNull(),
})
