/** What the index knows of an expression. */
export interface IndexedExpression {
  readonly id: string
  readonly text: string
  readonly lang: string
  readonly domain: string | null
  readonly subDomain: string | null
  readonly sentiment: string | null
  readonly position: { readonly lat: number; readonly lon: number } | null
  readonly createdAt: Date
  /** a unit vector of 768 numbers, or zeros: then it is near to nothing */
  readonly embedding: Float32Array
  /** the whole expression as JSON: kept, not searched */
  readonly document: string
  /** rises with each change of the expression; milliseconds since 1970 of that change */
  readonly version: number
}

/** Ids above `after` up to and including `upTo`, in the order of their characters; an absent end is open. */
export interface IdRange {
  readonly after?: string | undefined
  readonly upTo?: string | undefined
}

/** What two copies of a range compare first: how many there are, and the sum of their fingerprints. */
export interface RangeSummary {
  readonly count: number
  readonly sum: number
}

/** Conditions that all hold; an absent one is none. */
export interface SearchFilter {
  /** ids of domains or sub-domains, any of them; a domain includes its sub-domains */
  readonly domains?: readonly string[]
  readonly sentiment?: string
  readonly lang?: string
  /** degrees; west may be greater than east: then the box crosses the antimeridian */
  readonly box?: { readonly west: number; readonly south: number; readonly east: number; readonly north: number }
}

export interface Hit {
  readonly id: string
  /** the higher the better. `near`: cosine, -1 to 1; `match`: comparable only within one answer */
  readonly score: number
  readonly document: string
}

export interface SearchRequest {
  readonly filter: SearchFilter
  /** most hits */
  readonly limit: number
}

/** A phrase of the taxonomy with its vector. */
export interface IndexedPhrase {
  readonly id: string
  /** the domain or sub-domain that it is an example of */
  readonly domain: string
  /** of that domain and of the model that made the vector: says whether the phrase is up to date */
  readonly fingerprint: string
  readonly text: string
  readonly embedding: Float32Array
}

export interface PutOptions {
  /** whatever the version there */
  readonly evenOlder?: boolean
  /** these ids were never put before, so nobody need look for them */
  readonly areNew?: boolean
  /**
   * Only this process need find them at once, others within a second, when that is cheaper for the engine; while the engine takes longer than a
   * second to show them, searches are answered without. A process that is killed meanwhile may leave them to the comparison with the store.
   */
  readonly isSoonEnough?: boolean
}

/** What is kept of expressions, in the index that answers or in one that is being built beside it. */
export interface ExpressionIndex {
  /**
   * Adds or replaces by id; a row of a higher version is left as it is. What was written is found as soon as this has ended, by every
   * process.
   */
  put(expressions: readonly IndexedExpression[], options?: PutOptions): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  summarise(range: IdRange): Promise<RangeSummary>
  /** Id and version of those in the range, in ascending order of ids; -1 is the version of one that is there twice. @param limit - most of them */
  versions(range: IdRange, limit: number): Promise<ReadonlyMap<string, number>>
  count(): Promise<number>
}

/** An index that nobody searches until it is published. */
export interface IndexInTheMaking extends ExpressionIndex {
  /** Puts it in the place of the one that answered until now, which is removed, at the latest by the next rebuild; there is no moment without an answer. */
  publish(): Promise<void>
  /** Removes it, unless it answers already. */
  discard(): Promise<void>
}

/**
 * Finds expressions by their words and by their embeddings. It is made from the analytics store and can be lost: nothing is only here.
 * When it was lost it is there again, empty, at the next question. All methods fail with EngineUnavailable while its engine is away.
 */
export interface SearchIndex extends ExpressionIndex {
  /** which engine serves it, for health checks: lancedb or elasticsearch */
  readonly engine: string
  /** The documents of those that it has, by id. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The nearest by cosine, nearest first; equally near ones in the order of their ids, so that a longer answer begins as a shorter one. */
  near(vector: Float32Array, request: SearchRequest): Promise<readonly Hit[]>
  /** Those that have words of the text, the best first, in an order like that of `near`. */
  match(text: string, request: SearchRequest): Promise<readonly Hit[]>
  /** The fingerprint of each domain whose phrases it has. */
  taxonomy(): Promise<ReadonlyMap<string, string>>
  /** Replaces all phrases of these domains, which may then have none. */
  putPhrases(domains: readonly string[], phrases: readonly IndexedPhrase[]): Promise<void>
  /** Names what answers now. Another name than before: it was lost, or built anew. */
  identity(): Promise<string>
  /** Begins an empty one beside this; those that were begun and never published are removed. One at a time: who begins ends the other. */
  rebuild(): Promise<IndexInTheMaking>
  /** Removes for good what was made for other generations, here also by replicas that still run. @returns names of what it removed */
  prune(): Promise<readonly string[]>
  /**
   * Brings what was written lately into its inner order, where that is worth its time; one process asks for it every few seconds. An engine
   * that does so itself does nothing.
   */
  tidy(): Promise<void>
  health(signal: AbortSignal): Promise<void>
}

/** Of several with one id that of the highest version, of these the last. */
export function lastOfEach(expressions: readonly IndexedExpression[]): readonly IndexedExpression[] {
  const last = new Map<string, IndexedExpression>()
  for (const each of expressions) if ((last.get(each.id)?.version ?? 0) <= each.version) last.set(each.id, each)
  return [...last.values()]
}
