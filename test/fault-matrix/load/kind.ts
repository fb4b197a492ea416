/** Result of one attempt. */
export interface Answer {
  /** HTTP status, or the equivalent of a GraphQL error code; 0: no response. */
  readonly status: number
  /** The id of an acknowledged request. */
  readonly id?: string
  /** Content of an unexpected response. */
  readonly detail?: string
}

export interface TrackedRequest {
  /** Key of the client: the same in every attempt. */
  readonly key: string
  /** Id of the service, once acknowledged. */
  readonly id?: string
}

/** Differences between the acknowledged requests of one kind and the stored data. */
export interface Discrepancies {
  /** Acknowledged, but missing. */
  readonly lost: readonly string[]
  /** Stored more than once. */
  readonly doubled: readonly string[]
}

/** A kind of request, and how its effects are read back. A new one for each cell of the matrix. */
export interface Kind extends AsyncDisposable {
  readonly name: string
  /** Interval between two requests of the client. */
  readonly everyMs: number
  /** Maximum of concurrent requests. */
  readonly atOnce: number
  /** Creates prerequisites of the requests, before the fault. */
  prepare(): Promise<void>
  /** One attempt; the same key makes it the same request in every attempt. */
  attempt(key: string): Promise<Answer>
  /** @param acknowledged - acknowledged requests   @param tried - all requests, including these */
  find(acknowledged: readonly TrackedRequest[], tried: readonly TrackedRequest[]): Promise<Discrepancies>
}

export const isAcknowledged = ({ status }: Answer): boolean => status >= 200 && status < 300
