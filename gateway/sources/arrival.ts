import type { ExecutionResult } from 'graphql'

/** Stored as a symbol on the result: short-lived WeakMap keys are expensive for the garbage collector. */
const arrival = Symbol('arrival')

type Arrived = ExecutionResult & { [arrival]?: number }

/** Sets the arrival time of an event, or of a result made from it. @param at - by performance.now() */
export function arrived(event: ExecutionResult, at = performance.now()): ExecutionResult {
  return Object.defineProperty(event, arrival, { value: at, configurable: true })
}

/** Returns the arrival time of an event, by performance.now(); now if it is unset. */
export const arrivalOf = (event: Arrived): number => event[arrival] ?? performance.now()
