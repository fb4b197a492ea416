import type { Part } from '../subgraphs/foundation/lifecycle.ts'

/** A process that is put together but not started, and what there is to say about it once it is. */
export interface Assembled {
  readonly part: Part
  readonly addresses: () => readonly (readonly [what: string, address: string])[]
}
