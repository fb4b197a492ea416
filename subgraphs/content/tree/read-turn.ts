import { charactersIn, isCut, type TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { FairQueue } from '../../../foundation/concurrency/fair-queue.ts'
import { Fault } from '../../../foundation/fault.ts'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'

/** maximum of characters that the nodes of one operation have together */
const maxCharacters = 16 * 1024 * 1024

/** The caller of an operation. */
export type Reader = Pick<RequestContext, 'address' | 'loaders' | 'signal'>

/** Lists that are read at once in a process: each may have megabytes. Addresses take turns, and none takes all. */
const turns = new FairQueue({ maxAtOnce: 8, maxAtOncePerOwner: 4, maxPerOwner: 1000, maxWaiting: 2000, maxWaitMs: 8000 })
/** by the loaders of an operation */
const charactersRead = new WeakMap<Reader['loaders'], number>()

const tooLong = (): Fault =>
  new Fault('LIMIT_EXCEEDED', `The texts of these nodes have more than ${maxCharacters} characters: request fewer nodes in one operation`)

/**
 * Reads a list of nodes when it is the turn of the caller.
 * @throws {Fault} LIMIT_EXCEEDED for an operation that has read too many characters  @throws {Overloaded} if too many reads wait
 */
export function inReadTurn({ address, loaders, signal }: Reader, read: () => Promise<readonly TreeNode[]>): Promise<readonly TreeNode[]> {
  const inTurn = async (): Promise<readonly TreeNode[]> => {
    const before = charactersRead.get(loaders) ?? 0
    if (before > maxCharacters) throw tooLong()
    const nodes = await read()
    charactersRead.set(loaders, (charactersRead.get(loaders) ?? 0) + charactersIn(nodes))
    return nodes
  }
  return turns.runAt(address, inTurn, signal)
}

/** As `inReadTurn`, for nodes that are all needed. @throws {Fault} also if they are too long for one list */
export async function allInReadTurn(reader: Reader, read: () => Promise<readonly TreeNode[]>): Promise<readonly TreeNode[]> {
  const nodes = await inReadTurn(reader, read)
  if (isCut(nodes)) throw tooLong()
  return nodes
}
