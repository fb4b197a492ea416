import type { CommitWindow, Deadline } from '../../foundation/concurrency/deadline.ts'
import type { ExpressionFilter, Sentiment } from '../../foundation/filter/expression-filter.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { Transaction } from '../relational/database.ts'

/** Event topic with every change of the analytics store except votes. Event ids are the ids of the changed objects. */
export const analyticsTopic = 'analytics'
/** Event topic with every changed vote (kind `expression_voted`, id of the expression; the detail has the old and the new value). */
export const votesTopic = 'votes'
/** releases before the topic `votes` wrote `expression_voted` to the topic `analytics` */
export const expressionEventKinds = ['expression_added', 'expression_updated', 'expression_withdrawn', 'expression_voted'] as const
export type AnalyticsEventKind = (typeof expressionEventKinds)[number] | 'taxonomy_changed'

/** Source of expressions restored from the search index after the store had lost them. */
export const adoptedSource = 'search-index'

/** A domain (no parent) or a sub-domain of civic life. Its id never changes, also when it moves, and has no structure. */
export interface TaxonomyDomain {
  readonly id: string
  readonly parentId: string | null
  readonly slug: string
  /** order among its siblings */
  readonly position: number
  /** labels by language */
  readonly labels: Readonly<Record<string, string>>
  /** what belongs to the domain, by language */
  readonly descriptions: Readonly<Record<string, string>>
  /** example sentences by language */
  readonly examples: Readonly<Record<string, readonly string[]>>
  /** domain terms by language, space-separated */
  readonly words: Readonly<Record<string, string>>
}

export interface TaxonomyChange {
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
}

export interface Taxonomy {
  /** changes with any change of the taxonomy */
  readonly version: string
  /** number of the published version; 0 before the first */
  readonly number: number
  /** parents before children, in order */
  readonly domains: readonly TaxonomyDomain[]
  /** the current domain that replaces each retired one; null when none does */
  readonly successors: Successors
}

/** Successors of retired domains by id; null: retired without a successor. */
export type Successors = ReadonlyMap<string, string | null>

/** A new version of the taxonomy. */
export interface Publication {
  readonly domains: readonly TaxonomyDomain[]
  /** direct successors of retired domains; a domain that is neither here nor in `domains` is retired without one */
  readonly successors?: Readonly<Record<string, string | null>>
  readonly author: string
  readonly note: string
  /** number of the version that this one changes; undefined: whichever is published */
  readonly base?: number | undefined
}

/** A published version of the taxonomy, without its content. */
export interface TaxonomyVersion {
  readonly number: number
  readonly author: string
  readonly note: string
  readonly at: Date
  readonly change: TaxonomyChange
}

/** The content of a version. */
export interface TaxonomyContent {
  readonly domains: readonly TaxonomyDomain[]
  /** direct successors of the domains that were retired then */
  readonly successors: Readonly<Record<string, string | null>>
}

/** Records refer to domains that have been retired: they must be resolved with the current taxonomy and written again. */
export class RetiredDomains extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[]) {
    super(`retired domains: ${ids.join(', ')}`)
    this.name = 'RetiredDomains'
    this.ids = ids
  }
}

export const voteValues = ['agree', 'disagree', 'pass'] as const
export type VoteValue = (typeof voteValues)[number]
export type VoteCounts = Readonly<Record<VoteValue, number>>

/** The verified votes on an expression, with the unverified ones. */
export interface ClassedVoteCounts extends VoteCounts {
  readonly unverified: VoteCounts
}

/** The address of an unverified vote and its limits of new voters. */
export interface PublicVoterAllowance {
  /** UTC, such as 2026-11-27 */
  readonly day: string
  /** HMAC of the address and the day, in hex */
  readonly address: string
  /** limit of new voters per day on one expression */
  readonly perExpression: number
  /** limit of new voters per day on all expressions together */
  readonly perDay: number
}

/**
 * An expression with the results of the pipeline. `Enrichment` is the record of the classification component, stored as it is; values that others
 * filter or count by have fields of their own.
 */
export interface ExpressionRecord<Enrichment = unknown> {
  /** a UUID */
  readonly id: string
  readonly source: string
  readonly externalId: string | null
  /** without personal data */
  readonly text: string
  readonly lang: string
  /** HMAC of the author, 32 bytes in hex */
  readonly author: string | null
  /** HMAC of an author that no service vouches for; never counted as `author` */
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
  /** unit vector, stored in half precision */
  readonly embedding: Float32Array | null
  readonly embeddingModel: string | null
}

/** People by their pseudonyms: HMACs in hex. */
export interface People {
  readonly authors: readonly string[]
  readonly voters: readonly string[]
}

/** Counts per class, and ids of the unverified ones, at most `maxUnverifiedIds` each. */
export interface PersonalCounts {
  readonly expressions: number
  readonly unverifiedExpressions: number
  readonly unverifiedExpressionIds: readonly string[]
  readonly votes: number
  readonly unverifiedVotes: number
  /** ids of the expressions voted on */
  readonly unverifiedVoteIds: readonly string[]
}
export const maxUnverifiedIds = 100

export interface PersonalVote {
  readonly expressionId: string
  /** HMAC in hex */
  readonly voter: string
  readonly value: VoteValue
  readonly isVerified: boolean
  readonly at: Date
}
/** Identifies a vote. */
export type VoteName = Pick<PersonalVote, 'expressionId' | 'voter'>
export const votePlace = ({ expressionId, voter }: VoteName): string => `${expressionId}/${voter}`

/** A position in a list of expressions ordered by creation time, then id. */
export interface ExpressionPlace {
  readonly id: string
  readonly createdAt: Date
}

/** A page of a newest-first list of expressions. */
export interface NewestPage extends RowWindow<ExpressionPlace> {
  /** all conditions must hold; `from` is included, `before` is not */
  readonly filter: Omit<ExpressionFilter, 'circle' | 'text'> & {
    /** ids of sub-domains, none of which matches */
    readonly exceptSubDomains?: readonly string[]
    readonly from?: Date
    readonly before?: Date
  }
}

/** The public members of an expression. */
export type PublicExpression = Pick<
  ExpressionRecord,
  'id' | 'createdAt' | 'text' | 'lang' | 'domain' | 'subDomain' | 'sentiment' | 'sentimentScore' | 'position'
>

/** Conditions of a scan that must all hold. */
export interface ScanConditions {
  /** refers to a retired domain, or to a sub-domain that was moved */
  readonly isOutdated?: boolean
  /** domain or sub-domain; null: without a domain */
  readonly domains?: readonly (string | null)[]
  readonly lang?: string
  /** time of creation; `from` is included */
  readonly from?: Date
  readonly to?: Date
  /** classified with an earlier version of the taxonomy */
  readonly before?: number
}

/** A position in the list of corrections. */
export interface CorrectionPlace {
  readonly id: string
  /** RFC 3339 */
  readonly correctedAt: string
}

export interface StoredRange {
  readonly count: number
  readonly sum: number
  readonly upTo: string | undefined
}

export interface DeadLetter {
  readonly id: string
  /** content as queued */
  readonly content: unknown
  /** never contains a value of the content */
  readonly reason: string
}

/** A position in the list of dead letters. */
export interface DeadLetterPlace {
  readonly id: string
  /** time of storage, to the millisecond */
  readonly at: Date
}

/**
 * The analytics database. A change and its event are one transaction and are announced after the commit. All methods throw EngineUnavailable while
 * the database is unavailable.
 */
export interface AnalyticsStore<Enrichment = unknown> {
  readTaxonomy(): Promise<Taxonomy>
  /** Returns domains by id, unordered, including removed ones. */
  findDomains(ids: readonly string[]): Promise<readonly TaxonomyDomain[]>
  /**
   * Publishes a version of the taxonomy, completely or not at all; a content that is already published changes nothing. Retired domains are
   * retained for the expressions that refer to them.
   * @param within - runs in the same transaction
   * @returns the published version @throws {Fault} CONFLICT if another version than `base` is published
   */
  publishTaxonomy(
    publication: Publication,
    options?: { readonly window?: CommitWindow; readonly within?: (tx: Transaction, number: number) => Promise<void> },
  ): Promise<{ readonly number: number; readonly change: TaxonomyChange }>
  /** Returns a page of versions, newest first. @param window - positions are version numbers */
  taxonomyVersions(window: RowWindow<number>): Promise<readonly TaxonomyVersion[]>
  countTaxonomyVersions(): Promise<number>
  /** Returns the content of a version; undefined when it does not exist. */
  taxonomyContent(number: number): Promise<TaxonomyContent | undefined>
  /**
   * Upserts by id; skips a row that is unchanged, withdrawn, or has an enrichment with a higher `revision`.
   * @param options - `onlyCurrentDomains`: writes nothing if a record refers to a retired domain; `onlyNewer`: skips a row of the same revision too
   * @returns the number of changed rows @throws {RetiredDomains} with `onlyCurrentDomains`
   */
  saveExpressions(
    records: readonly ExpressionRecord<Enrichment>[],
    window?: CommitWindow,
    options?: { readonly onlyCurrentDomains?: boolean; readonly onlyNewer?: boolean },
  ): Promise<{ readonly added: number; readonly updated: number }>
  /**
   * Inserts missing expressions with source `adoptedSource`; skips existing, withdrawn and unwritable ones. A later write from another source
   * replaces an adopted row.
   * @returns ids of the inserted ones
   */
  adoptExpressions(records: readonly ExpressionRecord<Enrichment>[]): Promise<readonly string[]>
  /** Returns those that exist and are not withdrawn, unordered. @param onWithdrawn - called for each withdrawn one */
  findExpressions(ids: readonly string[], onWithdrawn?: (id: string) => void): Promise<readonly ExpressionRecord<Enrichment>[]>
  /** Returns the public members of those that exist and are not withdrawn, in the order of the ids. */
  publicExpressions(ids: readonly string[]): Promise<readonly PublicExpression[]>
  /** Returns a page of all expressions by id. @param after - last id of the previous page */
  pageOfExpressions(after: string | undefined, limit: number): Promise<readonly ExpressionRecord<Enrichment>[]>
  /** Returns positions ordered by creation time, newest first. */
  newestExpressions(page: NewestPage): Promise<readonly ExpressionPlace[]>
  /** As `newestExpressions` for several domains, descendants included; domains without expressions are absent. */
  newestOfDomains(domains: readonly string[], page: NewestPage): Promise<ReadonlyMap<string, readonly ExpressionPlace[]>>
  /** Returns the total length of the list of `newestExpressions`. */
  countNewest(filter: NewestPage['filter']): Promise<number>
  /** As `countNewest` for several domains. */
  countNewestOfDomains(domains: readonly string[], filter: NewestPage['filter']): Promise<ReadonlyMap<string, number>>
  countExpressions(): Promise<number>
  /** Returns ids of up to `limit` expressions of a source that are not withdrawn. */
  expressionsFrom(source: string, limit: number): Promise<readonly string[]>
  /**
   * Summarises the next `limit` expressions after an id as a search index does (`fingerprintOf`).
   * @returns `upTo`: their last id; undefined at the end of the table
   */
  summariseExpressions(after: string | undefined, limit: number): Promise<StoredRange>
  /** Returns which of the next `limit` expressions after an id match. @returns `upTo`: the last id that was examined; undefined at the end */
  scanExpressions(
    after: string | undefined,
    limit: number,
    conditions: ScanConditions,
  ): Promise<{ readonly ids: readonly string[]; readonly upTo: string | undefined }>
  /** Returns a page of expressions whose domain a person has corrected, latest correction first. @param domains - restricts them to these domains */
  correctedExpressions(
    window: RowWindow<CorrectionPlace>,
    domains?: readonly string[],
  ): Promise<readonly (CorrectionPlace & { readonly domain: string | null })[]>
  /** Returns the total length of the list of `correctedExpressions`. */
  countCorrections(domains?: readonly string[]): Promise<number>
  /** Returns the number of corrections to each domain or sub-domain, as they are stored; omits those without any. */
  correctionCounts(): Promise<ReadonlyMap<string, number>>
  /** Returns id and version (`revision` of the enrichment, 0 without) in the range (`after`, `upTo`], ascending. */
  versionsOfExpressions(after: string | undefined, upTo: string | undefined): Promise<ReadonlyMap<string, number>>
  /**
   * Erases an expression except its id, which stays reserved, and the time of withdrawal. @param options - `evenUnwritten`: also applies to an
   * expression that has not been written yet, and prevents its later write
   * @returns false if it does not exist
   */
  withdrawExpression(id: string, options?: { readonly evenUnwritten?: boolean; readonly window?: CommitWindow }): Promise<boolean>
  /**
   * Sets the verified vote of a voter. @param voter - HMAC in hex
   * @returns false if the expression does not exist
   */
  castVote(expressionId: string, voter: string, value: VoteValue, deadline?: Deadline): Promise<boolean>
  /**
   * Sets an unverified vote. The first vote of a voter uses the allowance of its address in the same transaction; a change does not.
   * @returns false if the expression does not exist
   * @throws {Fault} RATE_LIMITED if the allowance of the day is used up
   */
  castPublicVote(
    expressionId: string,
    voter: string,
    value: VoteValue,
    allowance: PublicVoterAllowance,
    deadline?: Deadline,
  ): Promise<boolean>
  /** Returns how long the oldest vote has waited to be written, ms; 0 if none waits. */
  readonly oldestVoteWaitMs: number
  /** Returns the current votes by expression; expressions without votes are absent. */
  countVotes(expressionIds: readonly string[]): Promise<ReadonlyMap<string, ClassedVoteCounts>>
  /** Returns the current votes of a voter by expression; expressions without one are absent. @param voter - HMAC in hex */
  votesOf(voter: string, expressionIds: readonly string[]): Promise<ReadonlyMap<string, VoteValue>>
  /** Counts the expressions and votes of these people by class. */
  countOfPeople(people: People): Promise<PersonalCounts>
  /** Returns the expressions of these authors that are not withdrawn, verified and unverified, by id. @param after - last id of the previous page */
  expressionsOfAuthors(
    authors: readonly string[],
    after: string | undefined,
    limit: number,
  ): Promise<readonly ExpressionRecord<Enrichment>[]>
  /** Returns the votes of these voters by expression and voter. @param after - as `votePlace` of the last vote of the previous page */
  votesOfVoters(voters: readonly string[], after: string | undefined, limit: number): Promise<readonly PersonalVote[]>
  /** Returns the votes of these voters on withheld expressions, which are counted again if the expression is restored. */
  withheldVotesOfVoters(voters: readonly string[]): Promise<readonly PersonalVote[]>
  /**
   * Withdraws up to `limit` verified expressions of these authors. @param options - `unwritten`: ids of expressions that are not written yet; their
   * later write is prevented @param record - called in the same transaction with the withdrawn ids and whether no others remain
   */
  withdrawOfAuthors(
    authors: readonly string[],
    options: { readonly limit: number; readonly unwritten: readonly string[] },
    record: (tx: Transaction, ids: readonly string[], isLast: boolean) => Promise<void>,
  ): Promise<void>
  /**
   * Deletes up to `limit` verified votes of these voters. @param record - called in the same transaction with their number and whether no others
   * remain
   */
  deleteVotesOf(
    voters: readonly string[],
    limit: number,
    record: (tx: Transaction, count: number, isLast: boolean) => Promise<void>,
  ): Promise<void>
  /** Counts the reports of these readers. @param reporters - HMACs in hex */
  countReports(reporters: readonly string[]): Promise<number>
  /** Returns the withheld expressions of these authors, by id: held before publication, or withdrawn and restorable. */
  withheldOfAuthors(
    authors: readonly string[],
  ): Promise<readonly { readonly id: string; readonly content: unknown; readonly isVerified: boolean }[]>
  /** Returns the reports of these readers, by expression. */
  reportsOfReporters(
    reporters: readonly string[],
  ): Promise<readonly { readonly expressionId: string; readonly reason: string; readonly note: string | null; readonly at: Date }[]>
  /** Deletes the reports of these readers, and open cases for which nothing else remains. @returns the number of reports */
  deleteReportsOf(tx: Transaction, reporters: readonly string[]): Promise<number>
  /** Upserts dead letters by id, except those of withdrawn expressions. */
  storeDeadLetters(letters: readonly DeadLetter[]): Promise<void>
  /** Returns the oldest dead letters with the time of storage, for a retry. */
  deadLetters(limit: number): Promise<readonly (DeadLetter & { readonly at: Date })[]>
  /** Returns a page of dead letters without content, oldest first. @param window - positions are time of storage and id */
  pageOfDeadLetters(window: RowWindow<DeadLetterPlace>): Promise<readonly (DeadLetterPlace & Pick<DeadLetter, 'reason'>)[]>
  /** Returns the existing dead letters among these ids, unordered. */
  findDeadLetters(ids: readonly string[]): Promise<readonly (DeadLetter & { readonly at: Date })[]>
  hasDeadLetter(id: string): Promise<boolean>
  removeDeadLetters(ids: readonly string[]): Promise<void>
  countDeadLetters(): Promise<number>
}
