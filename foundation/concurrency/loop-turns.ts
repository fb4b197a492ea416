import { setImmediate } from 'node:timers/promises'
import { FairQueue, type FairQueueOptions } from './fair-queue.ts'

/** Waits until a work may begin. @throws {Overloaded} if too many wait */
export type LoopTurn = (address: string | undefined, signal?: AbortSignal) => Promise<void>

/** One work begins in each turn of the event loop, and addresses take turns: a client that sends many delays the others by one at a time. */
export function loopTurns(limits: Pick<FairQueueOptions, 'maxPerOwner' | 'maxWaiting' | 'maxWaitMs'>): LoopTurn {
  const turns = new FairQueue({ ...limits, maxAtOnce: 1 })
  return (address, signal) => turns.runAt(address, () => setImmediate(), signal)
}
