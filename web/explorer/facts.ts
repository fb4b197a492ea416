/** What the server tells the page at the start. */
export interface ExplorerFacts {
  /** a map of the operator under what is shown; null: the country outlines that are here */
  readonly tiles: { readonly url: string; readonly credit: string | null } | null
  /** whether browsers vote without signing in */
  readonly isVotingOpen: boolean
}
