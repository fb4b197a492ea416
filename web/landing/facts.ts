/** A component as the landing page shows it. */
export interface ShownComponent {
  readonly name: 'verification' | 'exploration' | 'classification' | 'administration' | 'content'
  /** of its REST interface; undefined when that is not known here */
  readonly port?: number | undefined
}

/** What the server tells the page at the start. */
export interface LandingFacts {
  /** none: the gateway stands over a graph that is not the platform's */
  readonly components: readonly ShownComponent[]
  readonly version: string
  /** of the gateway as clients see it; undefined: as the browser has found it */
  readonly publicUrl?: string | undefined
}
