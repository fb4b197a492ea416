import {
  boolean,
  bytea,
  date,
  doublePrecision,
  integer,
  json,
  jsonb,
  millisecondMoment,
  pgTable,
  primaryKey,
  real,
  sql,
  text,
  uuid,
} from '../relational/drizzle.ts'
import { type TaxonomyChange, type TaxonomyContent, voteValues } from './analytics-store.ts'

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
    value: text('value', { enum: voteValues }).notNull(),
    isVerified: boolean('verified').notNull(),
    at: millisecondMoment('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.expressionId, table.voter] })],
)

/** Votes by expression, maintained by triggers of `vote`. */
export const voteCount = pgTable('vote_count', {
  expressionId: uuid('expression_id').primaryKey(),
  agree: integer('agree').notNull(),
  disagree: integer('disagree').notNull(),
  pass: integer('pass').notNull(),
  unverifiedAgree: integer('unverified_agree').notNull(),
  unverifiedDisagree: integer('unverified_disagree').notNull(),
  unverifiedPass: integer('unverified_pass').notNull(),
})

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

export const caseStates = ['open', 'left', 'released', 'withdrawn', 'restored'] as const
export const reportReasons = ['insult', 'threat', 'hate', 'personal_data', 'spam', 'other'] as const

/** A moderation case. A withheld expression has its content here and is withdrawn in `expression`. */
export const moderationCase = pgTable('moderation_case', {
  /** of the expression */
  id: uuid('id').primaryKey(),
  state: text('state', { enum: caseStates }).notNull().default('open'),
  openedAt: millisecondMoment('opened_at').notNull().default(sql`date_trunc('milliseconds', now())`),
  toxicity: real('toxicity'),
  reports: integer('reports').notNull().default(0),
  /** the expression as the queue of expressions holds it */
  content: json('content'),
  author: bytea('author'),
  unverifiedAuthor: bytea('unverified_author'),
  reason: text('reason'),
  note: text('note'),
  issuer: text('issuer'),
  subject: text('subject'),
  decidedAt: millisecondMoment('decided_at'),
  eraseAt: millisecondMoment('erase_at'),
})

export const expressionReport = pgTable(
  'expression_report',
  {
    caseId: uuid('case_id').notNull(),
    reporter: bytea('reporter').notNull(),
    reason: text('reason', { enum: reportReasons }).notNull(),
    note: text('note'),
    at: millisecondMoment('at').notNull().default(sql`date_trunc('milliseconds', now())`),
  },
  (table) => [primaryKey({ columns: [table.caseId, table.reporter] })],
)

export const withheldVote = pgTable(
  'withheld_vote',
  {
    caseId: uuid('case_id').notNull(),
    voter: bytea('voter').notNull(),
    value: text('value', { enum: voteValues }).notNull(),
    isVerified: boolean('verified').notNull(),
    at: millisecondMoment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.caseId, table.voter] })],
)

export type ExpressionRow = typeof expression.$inferSelect
