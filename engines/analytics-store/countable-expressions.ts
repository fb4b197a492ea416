import type { Sentiment } from '../../foundation/filter/expression-filter.ts'
import type { Queryable } from '../relational/database.ts'
import type { SQL } from '../relational/drizzle.ts'
import type { Taxonomy, VoteValue } from './analytics-store.ts'

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

/** A vote whose counted state differs from its current state; null: not counted, or no vote. */
export interface VoteChange {
  /** HMAC in hex */
  readonly voter: string
  readonly from: VoteValue | null
  readonly to: VoteValue | null
  /** class in which it was counted */
  readonly wasVerified: boolean | null
  /** class of the current vote */
  readonly isVerified: boolean | null
}

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
  /** Returns the next ids in ascending order, from the start without `after`; withdrawn expressions are excluded. */
  idsAfter(on: Queryable, after: string | undefined, limit: number): Promise<readonly string[]>
  /** Yields all ids in pages of neighbouring positions, then those without a position; an id may be missed or repeated only if it moves meanwhile. */
  idsByPlace(on: Queryable, limit: number): AsyncIterable<readonly string[]>
  /** Returns the published taxonomy. */
  taxonomy(on: Queryable): Promise<Taxonomy>
}
