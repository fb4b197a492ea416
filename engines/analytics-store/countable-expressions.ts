import { z } from 'zod'
import type { Sentiment } from '../../foundation/filter/expression-filter.ts'
import type { Queryable } from '../relational/database.ts'
import type { SQL } from '../relational/drizzle.ts'
import { type Taxonomy, type VoteName, type VoteValue, voteValues } from './analytics-store.ts'

/** The properties by which an expression is counted, except its votes. */
export interface CountableExpression {
  readonly domain: string | null
  readonly subDomain: string | null
  readonly sentiment: Sentiment | null
  readonly lang: string
  /** 20261121, in the requested time zone */
  readonly day: number
  /** RFC 3339 in UTC, with milliseconds */
  readonly createdAt: string
  /** degrees, WGS 84; both or neither */
  readonly lat: number | null
  readonly lon: number | null
  /** HMAC in hex */
  readonly author: string | null
}

/** A changed vote, before and after; null: no vote, or not counted. The detail of its event. */
export interface VoteChange {
  /** HMAC in hex */
  readonly voter: string
  readonly from: VoteValue | null
  readonly to: VoteValue | null
  /** class before */
  readonly wasVerified: boolean | null
  /** class after */
  readonly isVerified: boolean | null
}

const Value = z.enum(voteValues).nullable()
const Detail = z.object({
  voter: z.string(),
  from: Value,
  to: Value,
  wasVerified: z.boolean().nullable(),
  isVerified: z.boolean().nullable(),
})

/** Returns the change in the detail of an event of the topic `votes`. */
export const voteChangeIn = (detail: string): VoteChange => Detail.parse(JSON.parse(detail))

/**
 * Reads the analytics store in the transaction of a roll-up in the same database, so that both are consistent. All methods throw EngineUnavailable
 * while the database is unavailable.
 */
export interface CountableExpressions {
  /** Returns those that exist and are not withdrawn, by id. @param timezone - IANA name, for `day` */
  find(on: Queryable, ids: readonly string[], timezone: string): Promise<ReadonlyMap<string, CountableExpression>>
  /**
   * Returns vote changes by expression; expressions without changes are absent. @param counted - table of the counted votes with expression_id,
   * voter, value and verified as in `vote`
   */
  voteChanges(on: Queryable, ids: readonly string[], counted: SQL): Promise<ReadonlyMap<string, readonly VoteChange[]>>
  /** As `voteChanges` for these votes only. */
  changesOfVotes(on: Queryable, votes: readonly VoteName[], counted: SQL): Promise<ReadonlyMap<string, readonly VoteChange[]>>
  /** Returns the next ids in ascending order, from the start without `after`; withdrawn expressions are excluded. */
  idsAfter(on: Queryable, after: string | undefined, limit: number): Promise<readonly string[]>
  /**
   * Returns a query of all expressions that exist and are not withdrawn, for statements over many: id, domain, sub_domain, sentiment, lang, day,
   * created_at, lat, lon, author. @param timezone - IANA name, for `day`
   */
  countable(timezone: string): SQL
  /** Returns a query of all votes: expression_id, voter, value, verified. */
  countableVotes(): SQL
  /** Returns the published taxonomy. */
  taxonomy(on: Queryable): Promise<Taxonomy>
}
