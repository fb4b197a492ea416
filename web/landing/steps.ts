import type { ShownComponent } from './facts.ts'
import allFive from './tour/operations/all-five.graphql?raw'
import understood from './tour/operations/understood.graphql?raw'

export type StepName = 'verify' | 'say' | 'understand' | 'decide' | 'read' | 'ask'

/** A step of the tour: a page of a component, or an operation to run in the query editor. */
export type Step = { readonly name: StepName } & (
  | { readonly at: ShownComponent['name']; readonly path: string }
  | { readonly operation: string }
)

/** The steps in order: each shows the result of the one before. */
export const steps: readonly Step[] = [
  { name: 'verify', at: 'verification', path: '/' },
  { name: 'say', at: 'exploration', path: '/' },
  { name: 'understand', operation: understood },
  { name: 'decide', at: 'administration', path: '/#/review' },
  { name: 'read', at: 'content', path: '/' },
  { name: 'ask', operation: allFive },
]
