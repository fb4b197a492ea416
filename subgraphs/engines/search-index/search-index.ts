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
  readonly revision: string
  readonly text: string
  readonly embedding: Float32Array
}

/**
 * Finds expressions by their words and by their embeddings. It is made from the analytics store and can be lost: nothing is only here.
 * What was written is found as soon as the write has ended, by every process. All methods fail with EngineUnavailable while it is away.
 */
export interface SearchIndex {
  /** which engine serves it, for health checks: lancedb or elasticsearch */
  readonly engine: string
  /** Adds or replaces by id. */
  put(expressions: readonly IndexedExpression[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  /** The documents of those that it has, by id. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The nearest by cosine, nearest first. */
  near(vector: Float32Array, request: SearchRequest): Promise<readonly Hit[]>
  /** Those that have words of the text, the best first. */
  match(text: string, request: SearchRequest): Promise<readonly Hit[]>
  /** A page of ids in ascending order. @param after - the last id of the page before */
  ids(after: string | undefined, limit: number): Promise<readonly string[]>
  count(): Promise<number>
  /** The revision of each domain whose phrases it has. */
  taxonomy(): Promise<ReadonlyMap<string, string>>
  /** Replaces all phrases of these domains, which may then have none. */
  putPhrases(domains: readonly string[], phrases: readonly IndexedPhrase[]): Promise<void>
  /** Removes every expression and phrase. */
  clear(): Promise<void>
  health(signal: AbortSignal): Promise<void>
}
