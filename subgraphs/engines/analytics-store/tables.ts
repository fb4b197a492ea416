import {
  customType,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  sql,
  text,
  timestamp,
  uuid,
} from '../relational/drizzle.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const domain = pgTable('domain', {
  id: text('id').primaryKey(),
  parentId: text('parent_id'),
  slug: text('slug').notNull(),
  position: integer('position').notNull(),
  labels: jsonb('labels').$type<Record<string, string>>().notNull(),
  examples: jsonb('examples').$type<Record<string, string[]>>().notNull(),
  words: jsonb('words').$type<Record<string, string>>().notNull(),
  /** SHA-256 of the rest */
  contentDigest: text('revision').notNull(),
  removedAt: moment('removed_at'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})

export const expression = pgTable('expression', {
  id: uuid('id').primaryKey(),
  source: text('source').notNull(),
  externalId: text('external_id'),
  text: text('text').notNull(),
  lang: text('lang').notNull(),
  author: bytes('author'),
  domain: text('domain'),
  subDomain: text('sub_domain'),
  sentiment: text('sentiment', { enum: ['positive', 'neutral', 'negative'] }),
  sentimentScore: real('sentiment_score'),
  lat: doublePrecision('lat'),
  lon: doublePrecision('lon'),
  createdAt: moment('created_at').notNull(),
  receivedAt: moment('received_at').notNull(),
  enrichment: jsonb('enrichment').notNull(),
  embedding: bytes('embedding'),
  embeddingModel: text('embedding_model'),
  /** SHA-256 of the rest; the number that is called revision is the enrichment's */
  contentDigest: text('revision').notNull(),
  fingerprint: integer('fingerprint')
    .notNull()
    .generatedAlwaysAs(sql`('x' || substr(md5(id::text || ':' || coalesce(enrichment ->> 'revision', '0')), 1, 6))::bit(24)::integer`),
  withdrawnAt: moment('withdrawn_at'),
})

export const vote = pgTable(
  'vote',
  {
    expressionId: uuid('expression_id').notNull(),
    voter: bytes('voter').notNull(),
    value: text('value', { enum: ['agree', 'disagree', 'pass'] }).notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.expressionId, table.voter] })],
)

export const expressionDeadLetter = pgTable('expression_dead_letter', {
  id: uuid('id').primaryKey(),
  content: jsonb('content').notNull(),
  reason: text('reason').notNull(),
  at: moment('at').notNull().defaultNow(),
})

export type ExpressionRow = typeof expression.$inferSelect
