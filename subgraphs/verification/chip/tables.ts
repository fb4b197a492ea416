import { bytea, millisecondMoment, moment, pgTable, sql, text } from '../../../engines/relational/drizzle.ts'
import { escapedText } from '../tables.ts'

/** Public certificates of countries; contains no personal data. */
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

/** Challenges for chips, each used by at most one job. */
export const chipChallenge = pgTable('chip_challenge', {
  nonce: text('nonce').primaryKey(),
  owner: text('owner').notNull(),
  citizenCode: escapedText('citizen_code').notNull(),
  bytes: bytea('bytes').notNull(),
  issuedAt: millisecondMoment('issued_at').notNull().default(sql`date_trunc('milliseconds', clock_timestamp())`),
  expiresAt: millisecondMoment('expires_at').notNull(),
  jobId: text('job_id'),
})
