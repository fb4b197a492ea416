import { FairQueue } from '../concurrency/fair-queue.ts'
import type { RequestContext } from './request-context.ts'

/** Limits concurrent queries of the search index in a process; addresses take turns, and none takes all. */
const searches = new FairQueue({ maxAtOnce: 4, maxAtOncePerOwner: 2, maxPerOwner: 48, maxWaiting: 512, maxWaitMs: 8000 })

/** Runs a search when it is the caller's turn, unless the caller has left. @throws {Overloaded} if too many searches wait */
export const inSearchTurn = <Result>(
  { address, signal }: Pick<RequestContext, 'address' | 'signal'>,
  search: () => Promise<Result>,
): Promise<Result> => searches.runAt(address, search, signal)
