import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import { isStorableText } from '../../foundation/validation/values.ts'
import type { Queryable } from '../relational/database.ts'

/** An image, video or other medium of a node. */
export interface MediaItem {
  readonly url: string
  readonly type: string | null
  readonly alt: string | null
  readonly caption: string | null
}

/** The content of a node, independent of its position. */
export interface NodeContent {
  readonly externalId: string | null
  readonly title: string
  readonly slug: string
  readonly summary: string | null
  /** markdown */
  readonly body: string | null
  /** BCP 47 */
  readonly locale: string | null
  readonly media: readonly MediaItem[]
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A node with its position in the tree of its tenant. */
export interface TreeNode extends NodeContent {
  readonly id: string
  /** null for the root */
  readonly parentId: string | null
  /** order among siblings; ties are broken by id */
  readonly position: number
  /** 0 for the root */
  readonly depth: number
  readonly childrenCount: number
  /** position in pre-order: the keys of a subtree are contiguous, directly after that of its top */
  readonly orderKey: string
  /** hash of the content: equal hash, equal content */
  readonly contentHash: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A node without texts, of which a hundred thousand fit into memory. */
export type OutlineNode = Pick<
  TreeNode,
  'id' | 'externalId' | 'parentId' | 'slug' | 'position' | 'depth' | 'childrenCount' | 'orderKey' | 'contentHash'
>

/** A version of a tenant's tree: 1, 2, … Immutable once visible. */
export interface TreeVersion {
  readonly tenant: string
  readonly number: number
  readonly at: Date
}

/** A list of nodes ends with the node whose texts exceed this together with those before it. */
export const maxListCharacters = 8 * 1024 * 1024

function charactersOf({ title, summary, body, media, metadata }: TreeNode): number {
  const others = media.length === 0 ? 0 : JSON.stringify(media).length
  return title.length + (summary?.length ?? 0) + (body?.length ?? 0) + others + JSON.stringify(metadata).length
}

/** Returns the number of characters of the texts of nodes. */
export const charactersIn = (nodes: readonly TreeNode[]): number => nodes.reduce((sum, node) => sum + charactersOf(node), 0)

/** Returns the nodes of a list up to `maxListCharacters`, at least one. */
export function withinCharacters(nodes: readonly TreeNode[]): readonly TreeNode[] {
  let sum = 0
  const end = nodes.findIndex((node) => {
    sum += charactersOf(node)
    return sum > maxListCharacters
  })
  return end < 0 ? nodes : nodes.slice(0, end + 1)
}

/** Returns whether a list ended because of `maxListCharacters`, so that it may lack nodes. */
export const isCut = (nodes: readonly TreeNode[]): boolean => charactersIn(nodes) > maxListCharacters

/** Returns whether nodes may follow a list that was read with a limit. */
export const mayContinue = (nodes: readonly TreeNode[], limit: number): boolean => nodes.length >= limit || isCut(nodes)

/** Yields the nodes with these ids that exist, in lists of at most `maxListCharacters`. */
export async function* nodesInParts(
  view: Pick<TreeView, 'nodes'>,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly TreeNode[]> {
  for (let remaining = ids; remaining.length > 0; ) {
    const nodes = await view.nodes(remaining, signal)
    yield nodes
    if (!isCut(nodes)) return
    const found = new Set(nodes.map(({ id }) => id))
    remaining = remaining.filter((id) => !found.has(id))
  }
}

/** Read access to one version of a tree. All lists are in pre-order, siblings in key order, and end at `maxListCharacters` (`isCut`). */
export interface TreeView {
  readonly version: TreeVersion
  /** Returns at most `limit` nodes after the key `after`, from the beginning if undefined. */
  slice(after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]>
  /** Returns those that exist, unordered; any text is a valid argument. */
  nodes(ids: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]>
  /** Returns at most `limit` direct children after the sibling with the key `after`. */
  children(parentId: string, after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]>
  /** Returns ids of a node's ancestors, nearest first, at most `max`. */
  ancestors(node: Pick<TreeNode, 'parentId'>, max: number, signal: AbortSignal): Promise<readonly string[]>
  /** Reads every node without its texts. @param top - counts only this node and its descendants */
  size(signal: AbortSignal, top?: SubtreeTop): Promise<TreeSize>
}

/** The first node of a subtree in pre-order. */
export type SubtreeTop = Pick<TreeNode, 'orderKey' | 'depth'>

export interface TreeSize {
  /** including the root, or the top of the subtree */
  readonly nodes: number
  /** depth of the deepest node; 0 for a root alone */
  readonly depth: number
}

/** Additional reads for a writer, in the previous version. */
export interface DraftView extends TreeView {
  nodesByExternalId(externalIds: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]>
  /** Returns the next sibling after a position. */
  childAfter(parentId: string, position: number, id: string, signal: AbortSignal): Promise<TreeNode | undefined>
  /** Returns the highest position among the children; undefined without children. */
  lastPosition(parentId: string, signal: AbortSignal): Promise<number | undefined>
  /** Returns the key of the first node after a subtree; undefined at the end of the tree. */
  endOf(top: SubtreeTop, signal: AbortSignal): Promise<string | undefined>
  /** Returns at most `limit` nodes before a key, nearest first; from the end if undefined. */
  before(key: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]>
  outline(signal: AbortSignal): AsyncIterable<readonly OutlineNode[]>
}

/** A draft of the next version. Reads see the previous version. */
export interface TreeDraft {
  /** undefined if the tenant has no tree yet */
  readonly base: DraftView | undefined
  /** Announces all keys of the new version in order, before a large change, so that a store can lay out its partitions. */
  plan(orderKeys: readonly string[], signal: AbortSignal): Promise<void>
  /** Writes nodes at their keys, replacing any previous ones. */
  put(nodes: readonly TreeNode[], signal: AbortSignal): Promise<void>
  /** Removes the nodes at these keys. */
  clear(orderKeys: readonly string[], signal: AbortSignal): Promise<void>
  /** Transaction that publishes the version, for rows to be committed with it; undefined if the store has none. */
  readonly transaction: Queryable | undefined
  /** Moves removed subtrees to the trash; a failed draft leaves none there. @param chunks - in order, those of a subtree next to each other */
  discard(chunks: AsyncIterable<TrashChunk>, signal: AbortSignal): Promise<void>
  /** Removes a subtree from the trash when the version is published. */
  forget(trashId: string, signal: AbortSignal): Promise<void>
}

/** Nodes of a removed subtree, or a part of them. */
export interface TrashChunk {
  /** id of the subtree in the trash */
  readonly id: string
  /** JSON, identical in each chunk of a subtree: what lists return */
  readonly about: string
  /** JSON */
  readonly nodes: string
}

/** The received part of an import, in chunks of JSON: invisible, deleted an hour after the start of the import. */
export interface ImportStage {
  /** Starts an import; `find` returns `about`. */
  begin(importId: string, about: string, signal: AbortSignal): Promise<void>
  find(importId: string, signal: AbortSignal): Promise<string | undefined>
  /** Replaces the value that `find` returns. */
  note(importId: string, about: string, signal: AbortSignal): Promise<void>
  /** Stores a chunk, replacing one with the same index. @param chunk - JSON: tree structure, and separately the texts */
  append(importId: string, index: number, chunk: { readonly outline: string; readonly content: string }, signal: AbortSignal): Promise<void>
  /** Yields outlines in index order. */
  outlines(importId: string, signal: AbortSignal): AsyncIterable<{ readonly index: number; readonly outline: string }>
  /** Returns undefined if the chunk does not exist */
  content(importId: string, index: number, signal: AbortSignal): Promise<string | undefined>
  /** Deletes the chunks but not the value that `find` returns. */
  empty(importId: string, signal: AbortSignal): Promise<void>
}

/** Subtrees that drafts discarded, under ids that sort by time, until they are restored, purged or expire. */
export interface Trash {
  find(tenant: string, id: string, signal: AbortSignal): Promise<string | undefined>
  /** Returns at most `limit`, newest first, after the one with the id `after`. */
  list(
    tenant: string,
    after: string | undefined,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly about: string }[]>
  /** Yields chunks in order. */
  chunks(tenant: string, id: string, signal: AbortSignal): AsyncIterable<string>
  /** Deletes all whose ids sort before that one. */
  expire(before: string, signal: AbortSignal): Promise<void>
}

/**
 * Stores one tree per tenant in versions: readers pin a version and are not affected by writers. Throws EngineUnavailable while the store is
 * unavailable. Nothing is retried here.
 */
export interface TreeStore extends Part {
  readonly engine: string
  readonly stage: ImportStage
  readonly trash: Trash
  /** Returns the visible version; undefined for a tenant without a tree. */
  latest(tenant: string, signal: AbortSignal): Promise<DraftView | undefined>
  /** Returns an older version while it is retained (an hour after it was superseded), then undefined. */
  view(tenant: string, version: number, signal: AbortSignal): Promise<TreeView | undefined>
  /** Returns the visible version of every tenant. */
  versions(signal: AbortSignal): Promise<readonly TreeVersion[]>
  /**
   * Writes the next version: all changes of `work` become visible atomically when it resolves, none if it rejects. A draft without changes creates no
   * version. Writers of one tenant take turns.
   * @param window - of the caller; a version that would become visible too late does not
   * @throws {EngineUnavailable} also if another writer does not finish in time
   * @throws {DeadlineExceeded} if nothing became visible in time
   * @throws {OutcomeUnknown} if the outcome is unknown
   */
  write<Result>(tenant: string, work: (draft: TreeDraft) => Promise<Result>, signal: AbortSignal, window?: CommitWindow): Promise<Result>
  /** Deletes what only versions superseded before a time show, and import stages begun before it. */
  purge(before: Date, signal: AbortSignal): Promise<void>
  /** @throws {EngineUnavailable} if it does not respond before the signal is aborted */
  health(signal: AbortSignal): Promise<void>
}

/** a Cassandra key is limited to 64 KiB, a PostgreSQL index entry to 2,704 bytes */
const maxCharacters = 1000

/** Filters out names that no row can have. */
export const storableNames = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.length <= maxCharacters && isStorableText(name))
