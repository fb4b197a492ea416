/** What came of one try. */
export interface Answer {
  /** of HTTP, or what a code of GraphQL stands for; 0: nobody answered */
  readonly status: number
  /** the id under which an acknowledged wish is found again */
  readonly id?: string
  /** what an answer that nobody expects says */
  readonly detail?: string
}

export interface Wish {
  /** of the client: the same in every try */
  readonly key: string
  /** of the service, once it is acknowledged */
  readonly id?: string
}

/** What was found of the wishes of one kind. */
export interface Discrepancies {
  /** acknowledged, and not there */
  readonly lost: readonly string[]
  /** there more than once */
  readonly doubled: readonly string[]
}

/** One kind of request, and how its traces are found again. A new one for each cell of the matrix. */
export interface Kind extends AsyncDisposable {
  readonly name: string
  /** a client sends one so often */
  readonly everyMs: number
  /** how many of them wait for their answer, at most */
  readonly atOnce: number
  /** Makes what the requests build on, before anything fails. */
  prepare(): Promise<void>
  /** One try; with the same key it is the same wish, however often it is tried. */
  attempt(key: string): Promise<Answer>
  /** @param acknowledged - the wishes that were   @param tried - all, these too */
  find(acknowledged: readonly Wish[], tried: readonly Wish[]): Promise<Discrepancies>
}

export const isAcknowledged = ({ status }: Answer): boolean => status >= 200 && status < 300
