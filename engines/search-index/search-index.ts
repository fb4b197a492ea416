import { createHash } from 'node:crypto'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { TextQuery } from '../../foundation/text/text-query.ts'

/** Cursor in the change log up to which the index has been compared with the analytics store. */
export const searchIndexFollower = 'search-index'

/** An expression in the index. */
export interface IndexedExpression {
  readonly id: string
  readonly text: string
  readonly lang: string
  readonly domain: string | null
  readonly subDomain: string | null
  readonly sentiment: string | null
  readonly position: { readonly lat: number; readonly lon: number } | null
  readonly createdAt: Date
  /** unit vector of 768 numbers, or zeros, which match nothing */
  readonly embedding: Float32Array
  /** the whole expression as JSON; stored, not searched */
  readonly document: string
  /** increases with each change of the expression; time of the change, ms since 1970 */
  readonly version: number
}

/** Ids in (`after`, `upTo`], ordered by code units; an absent end is open. */
export interface IdRange {
  readonly after?: string | undefined
  readonly upTo?: string | undefined
}

/** A summary of a range for comparing two copies: number of expressions and sum of their fingerprints. */
export interface RangeSummary {
  readonly count: number
  readonly sum: number
}

/** Conditions that must all hold. */
export interface SearchFilter {
  /** ids of domains or sub-domains, any of which matches; a domain includes its sub-domains */
  readonly domains?: readonly string[]
  /** ids of sub-domains, none of which matches */
  readonly exceptSubDomains?: readonly string[]
  readonly sentiment?: string
  readonly lang?: string
  /** degrees; west greater than east crosses the antimeridian */
  readonly box?: { readonly west: number; readonly south: number; readonly east: number; readonly north: number }
  /** words and phrases that the text contains */
  readonly text?: TextQuery
  /** time of the statement: `from` is included, `before` is not */
  readonly from?: Date
  readonly before?: Date
  /** whether it has a position */
  readonly isLocated?: boolean
}

/** A position in a list of indexed expressions ordered by creation time, then id. */
export interface IndexedPlace {
  readonly id: string
  readonly createdAt: Date
}

/** Members by which expressions can be grouped. */
export type GroupedMember = 'domain' | 'subDomain' | 'sentiment' | 'lang'

/** Properties by which expressions are grouped. */
export interface Grouping {
  readonly by: readonly GroupedMember[]
  /** IANA name of a time zone: groups by its days */
  readonly daysOf?: string
  /** groups by the tiles of this zoom (Web Mercator); expressions without a position are in no group */
  readonly tilesOf?: number
}

/** Expressions that agree in the properties of a grouping; a member is null for expressions without the property, or when it is not grouped by. */
export interface ExpressionGroup extends Record<GroupedMember, string | null> {
  readonly count: number
  /** such as 20261121 */
  readonly day: number | null
  readonly tile: GroupTile | null
}

/** The tile of a group. */
export interface GroupTile {
  readonly column: number
  readonly row: number
  /** mean position in degrees */
  readonly lon: number
  readonly lat: number
  /** the expression, when the tile has no other one; else null */
  readonly only: (IndexedPlace & { readonly subDomain: string | null; readonly lang: string }) | null
}

export interface Hit {
  readonly id: string
  /** higher is better. `near`: cosine, -1 to 1; `match`: comparable only within one response */
  readonly score: number
}

export interface SearchRequest {
  readonly filter: SearchFilter
  /** maximum number of hits */
  readonly limit: number
}

/** A phrase of the taxonomy with its vector. */
export interface IndexedPhrase {
  readonly id: string
  /** domain or sub-domain that it is an example of */
  readonly domain: string
  /** of the domain and of the model: shows whether the phrase is up to date */
  readonly fingerprint: string
  readonly text: string
  readonly embedding: Float32Array
}

export interface PutOptions {
  /** overwrites any version */
  readonly evenOlder?: boolean
  /** the ids are new, so no lookup is needed */
  readonly areNew?: boolean
  /**
   * Other processes may find them up to a second later than this one, if that is cheaper for the engine; while the engine is slow, searches run
   * without them. If the process is killed meanwhile, the comparison with the store adds them.
   */
  readonly isDelayAllowed?: boolean
}

/** Expressions in the current index or in one that is being built. */
export interface ExpressionIndex {
  /** Upserts by id; keeps a row of a higher version. Written expressions can be found by every process when this resolves. */
  put(expressions: readonly IndexedExpression[], options?: PutOptions): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  summarise(range: IdRange): Promise<RangeSummary>
  /** Returns versions by id in a range, ascending; -1 for an id that is present twice. @param limit - maximum number */
  versions(range: IdRange, limit: number): Promise<ReadonlyMap<string, number>>
  count(): Promise<number>
}

/** An index that is not searched until it is published. */
export interface IndexBuild extends ExpressionIndex {
  /** Replaces the current index without interruption; the old one is deleted, at the latest by the next rebuild. */
  publish(): Promise<void>
  /** Deletes it unless it is published. */
  discard(): Promise<void>
}

/**
 * Finds expressions by words and by embeddings. Derived from the analytics store and recreated empty on the next query if lost. All methods throw
 * EngineUnavailable while the engine is unavailable.
 */
export interface SearchIndex extends ExpressionIndex {
  /** engine, for health checks: lancedb or elasticsearch */
  readonly engine: string
  /** Returns the stored documents by id. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns the nearest by cosine, ties by id, so that a longer result starts with a shorter one. */
  near(vector: Float32Array, request: SearchRequest): Promise<readonly Hit[]>
  /** Returns expressions that contain words of the text, best first, ties as in `near`. */
  match(text: string, request: SearchRequest): Promise<readonly Hit[]>
  /** Counts all matching expressions by group, exactly and in any order. */
  tally(filter: SearchFilter, grouping: Grouping): Promise<readonly ExpressionGroup[]>
  /** Returns a page of the matching expressions, newest first. @param window - at most 10,000 rows */
  newest(filter: SearchFilter, window: RowWindow<IndexedPlace>): Promise<readonly IndexedPlace[]>
  /** Returns the fingerprint of each domain with phrases. */
  taxonomy(): Promise<ReadonlyMap<string, string>>
  /** Replaces all phrases of these domains; the new list may be empty. */
  putPhrases(domains: readonly string[], phrases: readonly IndexedPhrase[]): Promise<void>
  /** Returns the name of the current index; it changes when the index is lost or rebuilt. */
  identity(): Promise<string>
  /** Starts an empty index; deletes unpublished ones. One at a time: a new rebuild ends a running one. */
  rebuild(): Promise<IndexBuild>
  /** Permanently deletes indices of other generations, also of replicas that still run. @returns their names */
  prune(): Promise<readonly string[]>
  /** Compacts recent writes if worthwhile; called every few seconds by one process. A no-op for engines that do so themselves. */
  tidy(): Promise<void>
  health(signal: AbortSignal): Promise<void>
}

/** Returns the highest version per id, the last one of equal versions. */
export function lastOfEach(expressions: readonly IndexedExpression[]): readonly IndexedExpression[] {
  const last = new Map<string, IndexedExpression>()
  for (const each of expressions) if ((last.get(each.id)?.version ?? 0) <= each.version) last.set(each.id, each)
  return [...last.values()]
}

/**
 * Returns a 24-bit fingerprint of a version of an expression. Sums over a range are exact in a double up to half a billion rows. The analytics store
 * computes the same number in SQL (`expression.fingerprint`).
 */
export const fingerprintOf = (id: string, version: number): number =>
  Number.parseInt(createHash('md5').update(`${id}:${version}`).digest('hex').slice(0, 6), 16)

/** maximum number of equally scored hits that are sorted */
const maxEqual = 2000

/**
 * Returns the best, ties ordered by id, so that a longer result starts with a shorter one and pages fit together. @param ask - returns the `size`
 * best hits, ties in any order
 */
export async function inStableOrder(limit: number, ask: (size: number) => Promise<readonly Hit[]>): Promise<readonly Hit[]> {
  const candidates = await ask(limit + 1)
  const isCutAmongEquals = candidates.length > limit && candidates[limit - 1]?.score === candidates[limit]?.score
  const hits = isCutAmongEquals ? await ask(Math.max(maxEqual, limit)) : candidates
  return hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
}
