/** An operation as the page lists it. */
export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly summary: string
  /** whether a browser may look at it right here: it needs neither key nor parameter */
  readonly isShown: boolean
  readonly needsKey: boolean
}

/** What the server tells the page at the start. */
export interface VerificationFacts {
  readonly operations: readonly ListedOperation[]
}
