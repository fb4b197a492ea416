/** What the server tells the page at the start. */
export interface QueryFacts {
  /** over another graph than the platform's there are no examples, and nobody knows how to sign in */
  readonly hasComponents: boolean
}
