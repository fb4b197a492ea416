import type { Sentiment } from '../../foundation/filter/expression-filter.ts'
import type { Queryable } from '../relational/database.ts'
import type { SQL } from '../relational/drizzle.ts'
import type { TaxonomyDomain, VoteValue } from './analytics-store.ts'

/** What an expression is counted by, beside its votes. */
export interface CountableExpression {
  readonly domain: string | null
  readonly subDomain: string | null
  readonly sentiment: Sentiment | null
  readonly lang: string
  /** 20261121, in the time zone that was asked for */
  readonly day: number
  /** RFC 3339 in UTC, with milliseconds */
  readonly createdAt: string
  /** degrees, WGS 84; both or neither */
  readonly lat: number | null
  readonly lon: number | null
  /** HMAC in hex */
  readonly author: string | null
}

/** A vote that is counted in another way than it is cast; null: not counted, not cast. */
export interface VoteChange {
  /** HMAC in hex */
  readonly voter: string
  readonly from: VoteValue | null
  readonly to: VoteValue | null
  /** the class in which it is counted */
  readonly wasVerified: boolean | null
  /** the class in which it was cast */
  readonly isVerified: boolean | null
}

/**
 * The analytics store to those who keep counts of it in the same database: they read in the transaction in which they count, so that both
 * are of one moment. All methods fail with EngineUnavailable while the database is away.
 */
export interface CountableExpressions {
  /** Those that exist and were not withdrawn, by id. @param timezone - IANA name: whose days */
  find(on: Queryable, ids: readonly string[], timezone: string): Promise<ReadonlyMap<string, CountableExpression>>
  /**
   * By expression; one whose votes are all counted as they are cast is not there.
   * @param counted - a table of those that are counted, with expression_id, voter, value and verified as in `vote`
   */
  voteChanges(on: Queryable, ids: readonly string[], counted: SQL): Promise<ReadonlyMap<string, readonly VoteChange[]>>
  /** The next ids above one, in ascending order; without `after` the first ones. Those that were withdrawn are not there. */
  idsAfter(on: Queryable, after: string | undefined, limit: number): Promise<readonly string[]>
  /** All ids in pages: neighbours together, each of them once unless it moves meanwhile; then those without a position. */
  idsByPlace(on: Queryable, limit: number): AsyncIterable<readonly string[]>
  /** Domains and sub-domains that were not removed, parents first, in their order. */
  domains(on: Queryable): Promise<readonly TaxonomyDomain[]>
}
