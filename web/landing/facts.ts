import type { ComponentName } from '../../foundation/component-names.ts'

/** A component on the landing page. */
export interface ShownComponent {
  readonly name: ComponentName
  /** of its REST interface; undefined when it is unknown */
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
