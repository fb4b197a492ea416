/** Facts that the server embeds in the page. */
export interface ExplorerFacts {
  /** the operator's base map; null: the built-in country outlines */
  readonly tiles: { readonly url: string; readonly credit: string | null } | null
  /** whether anonymous voting is open */
  readonly isVotingOpen: boolean
  /** address of the export of expressions */
  readonly exportUrl: string
}
