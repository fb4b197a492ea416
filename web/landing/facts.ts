/** A component as the landing page shows it. */
export interface ShownComponent {
  readonly name: 'verification' | 'exploration' | 'classification' | 'administration' | 'content'
  /** of its REST interface; undefined when that is not known here */
  readonly port?: number | undefined
}

/** Facts that the server embeds in the page. */
export interface LandingFacts {
  /** empty: the gateway serves another supergraph */
  readonly components: readonly ShownComponent[]
  readonly version: string
  /** public URL of the gateway; undefined: the page's own */
  readonly publicUrl?: string | undefined
}
