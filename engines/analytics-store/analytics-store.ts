import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import type { ExpressionFilter, Sentiment } from '../../foundation/filter/expression-filter.ts'
import type { RowWindow } from '../../foundation/row-window.ts'

/** The topic of the event feed that carries every change of the analytics store: its change log. Event ids are those of what changed. */
export const analyticsTopic = 'analytics'
export const expressionEventKinds = ['expression_added', 'expression_updated', 'expression_withdrawn', 'expression_voted'] as const
export type AnalyticsEventKind = (typeof expressionEventKinds)[number] | 'taxonomy_changed'

/** Of expressions that nobody sent: they were found elsewhere when the store had lost them. */
export const adoptedSource = 'search-index'

/** A domain (no parent) or a sub-domain (`<domain>/<slug>`) of civic life. */
export interface TaxonomyDomain {
  readonly id: string
  readonly parentId: string | null
  readonly slug: string
  /** order among its siblings */
  readonly position: number
  /** by language */
  readonly labels: Readonly<Record<string, string>>
  /** what a citizen might say, by language */
  readonly examples: Readonly<Record<string, readonly string[]>>
  /** terms of the field, by language, separated by spaces */
  readonly words: Readonly<Record<string, string>>
}

export interface TaxonomyChange {
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
}

export interface Taxonomy {
  /** changes whenever anything in it does */
  readonly version: string
  /** parents before children, in order */
  readonly domains: readonly TaxonomyDomain[]
}

export type VoteValue = 'agree' | 'disagree' | 'pass'
export type VoteCounts = Readonly<Record<VoteValue, number>>

/** The verified votes on an expression, and the unverified ones beside them. */
export interface ClassedVoteCounts extends VoteCounts {
  readonly unverified: VoteCounts
}

/** The address that an unverified vote comes from, and how many voters it may create. */
export interface PublicVoterAllowance {
  /** UTC, such as 2026-11-27 */
  readonly day: string
  /** HMAC of the address and the day, in hex */
  readonly address: string
  /** voters a day on one expression */
  readonly perExpression: number
  /** voters a day on all expressions together */
  readonly perDay: number
}

/**
 * What a citizen has said, with what was found in it. `Enrichment` is the classification component's own record of that, kept as it is;
 * what others count by stands beside it.
 */
export interface ExpressionRecord<Enrichment = unknown> {
  /** a UUID */
  readonly id: string
  readonly source: string
  readonly externalId: string | null
  /** without personal data */
  readonly text: string
  readonly lang: string
  /** HMAC of who said it, 32 bytes in hex */
  readonly author: string | null
  /** the same where no service vouches for who it was: it never counts as that person */
  readonly unverifiedAuthor: string | null
  readonly domain: string | null
  readonly subDomain: string | null
  readonly sentiment: Sentiment | null
  /** -1 to 1 */
  readonly sentimentScore: number | null
  /** degrees, WGS 84 */
  readonly position: { readonly lat: number; readonly lon: number } | null
  readonly createdAt: Date
  readonly receivedAt: Date
  readonly enrichment: Enrichment
  /** a unit vector, kept in half precision */
  readonly embedding: Float32Array | null
  readonly embeddingModel: string | null
}

/** A place in a list of expressions by when they were said; ties are broken by id. */
export interface ExpressionPlace {
  readonly id: string
  readonly createdAt: Date
}

/** Which expressions of a list whose newest are the first. */
export interface NewestPage extends RowWindow<ExpressionPlace> {
  /** conditions that all hold */
  readonly filter: Omit<ExpressionFilter, 'circle'>
}

export interface StoredRange {
  readonly count: number
  readonly sum: number
  readonly upTo: string | undefined
}

export interface DeadLetter {
  readonly id: string
  /** as it was queued */
  readonly content: unknown
  /** never with a value of the content */
  readonly reason: string
}

/** Where a dead letter stands among the others. */
export interface DeadLetterPlace {
  readonly id: string
  /** when it was kept, by millisecond */
  readonly at: Date
}

/**
 * The analytics database. Every change and its event are one transaction; nothing is announced before it is committed. All methods fail
 * with EngineUnavailable while the database is away.
 */
export interface AnalyticsStore<Enrichment = unknown> {
  readTaxonomy(): Promise<Taxonomy>
  /** Domains by their ids, in no order; also those that were removed from the taxonomy. */
  findDomains(ids: readonly string[]): Promise<readonly TaxonomyDomain[]>
  /** Makes these the whole taxonomy. Removed domains stay for the expressions that refer to them. */
  saveTaxonomy(domains: readonly TaxonomyDomain[]): Promise<TaxonomyChange>
  /**
   * Adds or replaces by id; a row that is the same already, was withdrawn, or whose enrichment has a higher `revision` is left as it is.
   * @returns how many changed
   */
  saveExpressions(
    records: readonly ExpressionRecord<Enrichment>[],
    window?: CommitWindow,
  ): Promise<{ readonly added: number; readonly updated: number }>
  /**
   * Adds those that are not there, of source `adoptedSource`: one that is there, or was withdrawn, is left as it is, and the first one of
   * another source that comes later takes its place. One that cannot be written is left out.   @returns ids of those that were added
   */
  adoptExpressions(records: readonly ExpressionRecord<Enrichment>[]): Promise<readonly string[]>
  /** Those that exist and were not withdrawn, in no order. @param onWithdrawn - is told of those that were */
  findExpressions(ids: readonly string[], onWithdrawn?: (id: string) => void): Promise<readonly ExpressionRecord<Enrichment>[]>
  /** A page of all of them by id. @param after - the last id of the page before */
  pageOfExpressions(after: string | undefined, limit: number): Promise<readonly ExpressionRecord<Enrichment>[]>
  /** Those of a list by when they were said, the newest first. */
  newestExpressions(page: NewestPage): Promise<readonly ExpressionPlace[]>
  /** The same for each of these domains, descendants included, at once; a domain that has none is absent. */
  newestOfDomains(domains: readonly string[], page: NewestPage): Promise<ReadonlyMap<string, readonly ExpressionPlace[]>>
  /** How many `newestExpressions` lists in all. */
  countNewest(filter: NewestPage['filter']): Promise<number>
  /** The same for each of these domains, at once. */
  countNewestOfDomains(domains: readonly string[], filter: NewestPage['filter']): Promise<ReadonlyMap<string, number>>
  countExpressions(): Promise<number>
  /** Ids of some that came from a source and were not withdrawn. */
  expressionsFrom(source: string, limit: number): Promise<readonly string[]>
  /**
   * The next `limit` expressions above an id, summed up as a search index sums up its own (`fingerprintOf`).
   * @returns `upTo`: the last of their ids, undefined when no other may come after them
   */
  summariseExpressions(after: string | undefined, limit: number): Promise<StoredRange>
  /** Id and version (`revision` of the enrichment, 0 without) of those above `after` up to and including `upTo`, in ascending order. */
  versionsOfExpressions(after: string | undefined, upTo: string | undefined): Promise<ReadonlyMap<string, number>>
  /**
   * Erases all but the id, which stays taken, and when it was withdrawn.
   * @param options - `evenUnwritten`: also one that is still on its way here, which then is never written
   * @returns false when there is none
   */
  withdrawExpression(id: string, options?: { readonly evenUnwritten?: boolean; readonly window?: CommitWindow }): Promise<boolean>
  /** One verified vote for each voter, changeable. @param voter - HMAC in hex   @returns false when there is no such expression */
  castVote(expressionId: string, voter: string, value: VoteValue, window?: CommitWindow): Promise<boolean>
  /**
   * The same for an unverified vote. The first one of a voter counts against the allowance of its address, in the same transaction; a later one
   * changes it and counts no more.
   * @returns false when there is no such expression   @throws {Fault} RATE_LIMITED when the address may not create another voter that day
   */
  castPublicVote(
    expressionId: string,
    voter: string,
    value: VoteValue,
    allowance: PublicVoterAllowance,
    window?: CommitWindow,
  ): Promise<boolean>
  /** The votes on each of these expressions as they are now; an expression that is unknown or has no votes is absent. */
  countVotes(expressionIds: readonly string[]): Promise<ReadonlyMap<string, ClassedVoteCounts>>
  /** Adds or replaces by id; nothing is kept of what was withdrawn. */
  keepDeadLetters(letters: readonly DeadLetter[]): Promise<void>
  /** The oldest ones, for another try, with when each was kept. */
  deadLetters(limit: number): Promise<readonly (DeadLetter & { readonly at: Date })[]>
  /** The oldest ones without what they hold. @param window - places are when they were kept, and their ids */
  pageOfDeadLetters(window: RowWindow<DeadLetterPlace>): Promise<readonly (DeadLetterPlace & Pick<DeadLetter, 'reason'>)[]>
  /** Those of these ids that there are, in no order. */
  findDeadLetters(ids: readonly string[]): Promise<readonly (DeadLetter & { readonly at: Date })[]>
  hasDeadLetter(id: string): Promise<boolean>
  removeDeadLetters(ids: readonly string[]): Promise<void>
  countDeadLetters(): Promise<number>
}
