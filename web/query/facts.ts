/** Facts that the server embeds in the page. */
export interface QueryFacts {
  /** over another supergraph there are no examples and no sign-in */
  readonly hasComponents: boolean
}
