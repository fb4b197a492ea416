import { FairQueue, type FairQueueOptions } from '../concurrency/fair-queue.ts'
import type { RequestContext } from './request-context.ts'

/** Reads when it is the caller's turn, unless the caller has left. A read within another one would wait for itself. @throws {Overloaded} if too many wait */
export type ReadTurn = <Result>(caller: Pick<RequestContext, 'address' | 'signal'>, read: () => Promise<Result>) => Promise<Result>

/** Limits concurrent reads in a process; addresses take turns. */
export function readTurns(options: FairQueueOptions): ReadTurn {
  const turns = new FairQueue(options)
  return ({ address, signal }, read) => turns.runAt(address, read, signal)
}

/** Reads a list or figures, or counts, each of which may scan a table: connections of the database are left to other requests, and no address takes all. */
export const inListTurn = readTurns({ maxAtOnce: 4, maxAtOncePerOwner: 2, maxPerOwner: 1000, maxWaiting: 4000, maxWaitMs: 8000 })

/** Reads by id: those of one address leave room for others. */
export const inReadByIdTurn = readTurns({ maxAtOnce: 16, maxAtOncePerOwner: 8, maxPerOwner: 1000, maxWaiting: 4000, maxWaitMs: 8000 })

/** Queries the search index; no address takes all turns. */
export const inSearchTurn = readTurns({ maxAtOnce: 4, maxAtOncePerOwner: 2, maxPerOwner: 48, maxWaiting: 512, maxWaitMs: 8000 })
