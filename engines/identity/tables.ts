import type { JWK } from 'jose'
import { jsonb, moment, pgTable, primaryKey, text } from '../relational/drizzle.ts'

export const identityAccount = pgTable('identity_account', {
  id: text('id').primaryKey(),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  givenName: text('given_name'),
  familyName: text('family_name'),
  locale: text('locale'),
  roles: text('roles').array().notNull().default([]),
  groups: text('groups').array().notNull().default([]),
  tenant: text('tenant'),
  disabledAt: moment('disabled_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

export const identityKey = pgTable('identity_key', {
  kid: text('kid').primaryKey(),
  publicKey: jsonb('public_key').$type<JWK>().notNull(),
  sealedKey: text('sealed_key').notNull(),
  activeFrom: moment('active_from').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

export const identityToken = pgTable(
  'identity_token',
  {
    model: text('model').notNull(),
    id: text('id').notNull(),
    grantId: text('grant_id'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    consumedAt: moment('consumed_at'),
    expiresAt: moment('expires_at'),
  },
  (table) => [primaryKey({ columns: [table.model, table.id] })],
)
