import { bytea, moment } from '../../engines/relational/columns.ts'
import { pgTable, text } from '../../engines/relational/drizzle.ts'

/** Public certificates of countries, none of a person. */
export const countryCertificate = pgTable('country_certificate', {
  fingerprint: text('fingerprint').primaryKey(),
  country: text('country').notNull(),
  der: bytea('der').notNull(),
  validUntil: moment('valid_until').notNull(),
  importedAt: moment('imported_at').notNull().defaultNow(),
})

/** The newest list of each key of an issuer. */
export const countryRevocationList = pgTable('country_revocation_list', {
  issuer: text('issuer').primaryKey(),
  country: text('country').notNull(),
  der: bytea('der').notNull(),
  issuedAt: moment('issued_at').notNull(),
  importedAt: moment('imported_at').notNull().defaultNow(),
})
