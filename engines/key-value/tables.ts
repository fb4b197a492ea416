import { index, pgTable, text, timestamp } from '../relational/drizzle.ts'

/** UNLOGGED: no write-ahead log, empty after a crash of the server */
export const keyValue = pgTable(
  'key_value',
  {
    key: text('key').primaryKey(),
    value: text('value').notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    partition: text('partition').notNull().default('security'),
  },
  (table) => [index('key_value_expired').on(table.expiresAt), index('key_value_partition').on(table.partition, table.expiresAt)],
)
