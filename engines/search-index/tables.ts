import { bigint, pgTable, text, timestamp } from '../relational/drizzle.ts'

const amount = (name: string) => bigint(name, { mode: 'number' }).notNull()

export const searchIndexDrift = pgTable('search_index_drift', {
  indexName: text('index_name').primaryKey(),
  compared: amount('compared'),
  missing: amount('missing'),
  stale: amount('stale'),
  extra: amount('extra'),
  at: timestamp('at', { withTimezone: true, mode: 'date', precision: 3 }).notNull().defaultNow(),
})
