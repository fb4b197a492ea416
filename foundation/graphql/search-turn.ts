import { FairQueue, ownerAt } from '../concurrency/fair-queue.ts'
import { Overloaded } from '../fault.ts'
import type { RequestContext } from './request-context.ts'

/** Limits concurrent queries of the search index in a process; addresses take turns. */
const searches = new FairQueue({ maxAtOnce: 4, maxPerOwner: 48, maxWaiting: 512, maxWaitMs: 8000 })

/** Runs a search when it is the caller's turn. @throws {Overloaded} if too many searches wait */
export const inSearchTurn = <Result>({ address }: Pick<RequestContext, 'address'>, search: () => Promise<Result>): Promise<Result> =>
  searches.run(ownerAt(address), search, () => new Overloaded())
