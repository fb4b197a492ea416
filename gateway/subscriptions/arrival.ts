import type { ExecutionResult } from 'graphql'

/** Kept on the result itself, where nobody who reads its fields sees it: keys of a WeakMap that live as long as an event cost the garbage collector dearly. */
const arrival = Symbol('arrival')

type Arrived = ExecutionResult & { [arrival]?: number }

/** Notes on an event when it came from its subgraph, or on a result when the event came that it was made of. @param at - by performance.now() */
export function arrived(event: ExecutionResult, at = performance.now()): ExecutionResult {
  return Object.defineProperty(event, arrival, { value: at, configurable: true })
}

/** When an event came, by performance.now(); now, where nobody has noted it before. */
export const arrivalOf = (event: Arrived): number => event[arrival] ?? performance.now()
