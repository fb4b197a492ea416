/** An operation in the page's list. */
export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly summary: string
  /** whether the browser can open it: it needs neither key nor parameter */
  readonly isShown: boolean
  readonly needsKey: boolean
}

/** Facts that the server embeds in the page. */
export interface VerificationFacts {
  readonly operations: readonly ListedOperation[]
}
