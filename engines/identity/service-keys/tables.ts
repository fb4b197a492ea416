import { bytea, moment } from '../../relational/columns.ts'
import { pgTable, text } from '../../relational/drizzle.ts'

export const serviceKey = pgTable('service_key', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  sha256: text('sha256').notNull(),
  scopes: text('scopes').array().notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  endsAt: moment('ends_at'),
})

export const serviceCallbackSecret = pgTable('service_callback_secret', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  keyId: text('key_id').notNull(),
  wrappedKey: bytea('wrapped_key').notNull(),
  sealed: bytea('sealed').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  endsAt: moment('ends_at'),
})
