import { FairQueue } from '../concurrency/fair-queue.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Limits concurrent reads of lists and figures in a process, each of which may scan a table: they leave connections of the database to other
 * requests. Addresses take turns, and none takes all.
 */
const lists = new FairQueue({ maxAtOnce: 4, maxAtOncePerOwner: 2, maxPerOwner: 1000, maxWaiting: 4000, maxWaitMs: 8000 })

/**
 * Reads a list, or counts it, when it is the caller's turn, unless the caller has left. A read within another one would wait for itself.
 * @throws {Overloaded} if too many reads wait
 */
export const inListTurn = <Result>(
  { address, signal }: Pick<RequestContext, 'address' | 'signal'>,
  read: () => Promise<Result>,
): Promise<Result> => lists.runAt(address, read, signal)

/** Limits concurrent reads by id in a process: those of one address leave room for others. */
const reads = new FairQueue({ maxAtOnce: 16, maxAtOncePerOwner: 8, maxPerOwner: 1000, maxWaiting: 4000, maxWaitMs: 8000 })

/** Reads by id, as `inListTurn`. @throws {Overloaded} if too many reads wait */
export const inReadByIdTurn = <Result>(
  { address, signal }: Pick<RequestContext, 'address' | 'signal'>,
  read: () => Promise<Result>,
): Promise<Result> => reads.runAt(address, read, signal)
