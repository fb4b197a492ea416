import type { ExecutionResult } from 'graphql'

const arrivals = new WeakMap<ExecutionResult, number>()

/** Notes when an event came from its subgraph, or that a result was made of one that came then. @param at - by performance.now() */
export function arrived(event: ExecutionResult, at = performance.now()): ExecutionResult {
  arrivals.set(event, at)
  return event
}

/** When an event came, by performance.now(); now, where nobody has noted it before. */
export const arrivalOf = (event: ExecutionResult): number => arrivals.get(event) ?? performance.now()
