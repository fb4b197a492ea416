import {
  boolean,
  bytea,
  date,
  doublePrecision,
  integer,
  jsonb,
  millisecondMoment,
  pgTable,
  primaryKey,
  real,
  sql,
  text,
  uuid,
} from '../relational/drizzle.ts'
import type { TaxonomyChange, TaxonomyContent } from './analytics-store.ts'

export const domain = pgTable('domain', {
  id: text('id').primaryKey(),
  parentId: text('parent_id'),
  slug: text('slug').notNull(),
  position: integer('position').notNull(),
  labels: jsonb('labels').$type<Record<string, string>>().notNull(),
  descriptions: jsonb('descriptions').$type<Record<string, string>>().notNull().default({}),
  examples: jsonb('examples').$type<Record<string, string[]>>().notNull(),
  words: jsonb('words').$type<Record<string, string>>().notNull(),
  /** SHA-256 of the other columns */
  contentDigest: text('revision').notNull(),
  removedAt: millisecondMoment('removed_at'),
  /** the domain that replaces it; null: none, or not removed */
  successorId: text('successor_id'),
  updatedAt: millisecondMoment('updated_at').notNull().defaultNow(),
})

export const taxonomyVersion = pgTable('taxonomy_version', {
  number: integer('number').primaryKey(),
  author: text('author').notNull(),
  note: text('note').notNull(),
  at: millisecondMoment('at').notNull().defaultNow(),
  change: jsonb('change').$type<TaxonomyChange>().notNull(),
  content: jsonb('content').$type<TaxonomyContent>().notNull(),
})

export const expression = pgTable('expression', {
  id: uuid('id').primaryKey(),
  source: text('source').notNull(),
  externalId: text('external_id'),
  text: text('text').notNull(),
  lang: text('lang').notNull(),
  author: bytea('author'),
  unverifiedAuthor: bytea('unverified_author'),
  domain: text('domain'),
  subDomain: text('sub_domain'),
  sentiment: text('sentiment', { enum: ['positive', 'neutral', 'negative'] }),
  sentimentScore: real('sentiment_score'),
  lat: doublePrecision('lat'),
  lon: doublePrecision('lon'),
  createdAt: millisecondMoment('created_at').notNull(),
  receivedAt: millisecondMoment('received_at').notNull(),
  enrichment: jsonb('enrichment').notNull(),
  embedding: bytea('embedding'),
  embeddingModel: text('embedding_model'),
  /** SHA-256 of the other columns; not the `revision` of the enrichment */
  contentDigest: text('revision').notNull(),
  fingerprint: integer('fingerprint')
    .notNull()
    .generatedAlwaysAs(sql`('x' || substr(md5(id::text || ':' || coalesce(enrichment ->> 'revision', '0')), 1, 6))::bit(24)::integer`),
  withdrawnAt: millisecondMoment('withdrawn_at'),
})

export const vote = pgTable(
  'vote',
  {
    expressionId: uuid('expression_id').notNull(),
    voter: bytea('voter').notNull(),
    value: text('value', { enum: ['agree', 'disagree', 'pass'] }).notNull(),
    isVerified: boolean('verified').notNull(),
    at: millisecondMoment('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.expressionId, table.voter] })],
)

export const publicVoterCount = pgTable('public_voter_count', {
  day: date('day').notNull(),
  address: bytea('address').notNull(),
  /** null: all expressions together */
  expressionId: uuid('expression_id'),
  voters: integer('voters').notNull(),
})

export const expressionDeadLetter = pgTable('expression_dead_letter', {
  id: uuid('id').primaryKey(),
  content: jsonb('content').notNull(),
  reason: text('reason').notNull(),
  at: millisecondMoment('at').notNull().defaultNow(),
})

export type ExpressionRow = typeof expression.$inferSelect
