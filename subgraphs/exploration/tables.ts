import type { TaxonomyDomain } from '../../engines/analytics-store/analytics-store.ts'
import {
  bigint,
  boolean,
  bytea,
  doublePrecision,
  integer,
  jsonb,
  millisecondMoment,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from '../../engines/relational/drizzle.ts'

const large = (name: string) => bigint(name, { mode: 'number' })

/** The part of the taxonomy that the roll-ups store. */
export type RolledDomain = Pick<TaxonomyDomain, 'id' | 'parentId' | 'slug' | 'position' | 'labels'>

export const rollUp = pgTable('roll_up', {
  isOnly: boolean('is_only').primaryKey().default(true),
  generation: integer('generation').notNull(),
  position: large('position').notNull(),
  /** in the topic of votes */
  votesPosition: large('votes_position').notNull().default(0),
  version: large('version').notNull(),
  changedAt: millisecondMoment('changed_at').notNull(),
  timezone: text('timezone').notNull(),
  /** `rollUpFormat` of the worker that built the roll-ups */
  format: smallint('format').notNull().default(1),
  taxonomy: jsonb('taxonomy').$type<readonly RolledDomain[]>().notNull(),
  /** published version of the taxonomy */
  taxonomyNumber: integer('taxonomy_number').notNull().default(0),
  /** current domains that replace retired ones; null: none does */
  successors: jsonb('successors').$type<Readonly<Record<string, string | null>>>().notNull().default({}),
})

export const rollUpKey = pgTable('roll_up_key', {
  id: integer('id').primaryKey(),
  domain: text('domain'),
  subDomain: text('sub_domain'),
  sentiment: text('sentiment', { enum: ['positive', 'neutral', 'negative'] }),
  lang: text('lang').notNull(),
})

export const rollUpExpression = pgTable('roll_up_expression', {
  id: uuid('id').primaryKey(),
  key: integer('key').notNull(),
  day: integer('day').notNull(),
  createdAt: millisecondMoment('created_at').notNull(),
  lat: doublePrecision('lat'),
  lon: doublePrecision('lon'),
  place: large('place'),
  author: bytea('author'),
  agree: integer('agree').notNull(),
  disagree: integer('disagree').notNull(),
  pass: integer('pass').notNull(),
  unverifiedAgree: integer('unverified_agree').notNull(),
  unverifiedDisagree: integer('unverified_disagree').notNull(),
  unverifiedPass: integer('unverified_pass').notNull(),
})

export const rollUpCell = pgTable(
  'roll_up_cell',
  {
    zoom: smallint('zoom').notNull(),
    bucket: integer('bucket').notNull(),
    y: integer('y').notNull(),
    x: integer('x').notNull(),
    counts: text('counts').notNull(),
    votes: text('votes'),
    unverifiedVotes: text('unverified_votes'),
    lon: large('lon').notNull(),
    lat: large('lat').notNull(),
  },
  (table) => [primaryKey({ columns: [table.zoom, table.bucket, table.y, table.x] })],
)

export const rollUpVote = pgTable(
  'roll_up_vote',
  {
    expressionId: uuid('expression_id').notNull(),
    voter: bytea('voter').notNull(),
    value: text('value').notNull(),
    isVerified: boolean('verified').notNull(),
  },
  (table) => [primaryKey({ columns: [table.expressionId, table.voter] })],
)

export const participant = pgTable(
  'participant',
  { domain: text('domain').notNull(), hmac: bytea('hmac').notNull(), uses: integer('uses').notNull() },
  (table) => [primaryKey({ columns: [table.domain, table.hmac] })],
)

export const participantCount = pgTable('participant_count', { domain: text('domain').primaryKey(), count: large('count').notNull() })
