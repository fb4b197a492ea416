import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Queryable } from '../relational/database.ts'

/** Something to look at beside a text. */
export interface MediaItem {
  readonly url: string
  readonly type: string | null
  readonly alt: string | null
  readonly caption: string | null
}

/** What a node says, wherever it stands. */
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

/** A node where it stands in the tree of its tenant. */
export interface TreeNode extends NodeContent {
  readonly id: string
  /** null for the root */
  readonly parentId: string | null
  /** among its siblings; ties are broken by id */
  readonly position: number
  /** 0 for the root */
  readonly depth: number
  readonly childrenCount: number
  /** its place in pre-order: the keys of a subtree lie together, directly behind the key of its top */
  readonly orderKey: string
  /** of what it says: equal hash, equal content */
  readonly contentHash: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A node without its texts, of which a hundred thousand fit into memory. */
export type OutlineNode = Pick<
  TreeNode,
  'id' | 'externalId' | 'parentId' | 'slug' | 'position' | 'depth' | 'childrenCount' | 'orderKey' | 'contentHash'
>

/** A version of a tenant's tree: 1, 2, … Nothing about a version changes after it became visible. */
export interface TreeVersion {
  readonly tenant: string
  readonly number: number
  readonly at: Date
}

/** What anybody may read of one version of one tree. All lists are in pre-order, siblings in the order of their keys. */
export interface TreeView {
  readonly version: TreeVersion
  /** At most `limit` nodes whose keys are greater than `after`, from the beginning when it is undefined. */
  slice(after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]>
  /** Those that exist, in no order; any text may be asked for. */
  nodes(ids: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]>
  /** At most `limit` direct children behind the sibling whose key is `after`. */
  children(parentId: string, after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]>
  /** Ids of a node's ancestors, the nearest first, at most `max`. */
  ancestors(node: Pick<TreeNode, 'parentId'>, max: number, signal: AbortSignal): Promise<readonly string[]>
  /** Looks at every node, without its texts. */
  size(signal: AbortSignal): Promise<TreeSize>
}

export interface TreeSize {
  /** the root among them */
  readonly nodes: number
  /** of the deepest; 0 for a root alone */
  readonly depth: number
}

/** What a writer reads besides, in the version that it builds upon. */
export interface DraftView extends TreeView {
  nodesByExternalId(externalIds: readonly string[], signal: AbortSignal): Promise<readonly TreeNode[]>
  /** The sibling that comes next after that place. */
  childAfter(parentId: string, position: number, id: string, signal: AbortSignal): Promise<TreeNode | undefined>
  /** The greatest position among the children; undefined when there are none. */
  lastPosition(parentId: string, signal: AbortSignal): Promise<number | undefined>
  /** Key of the first node behind a subtree; undefined when the tree ends with it. */
  endOf(top: Pick<TreeNode, 'orderKey' | 'depth'>, signal: AbortSignal): Promise<string | undefined>
  /** At most `limit` nodes before a key, the nearest first; from the end when it is undefined. */
  before(key: string | undefined, limit: number, signal: AbortSignal): Promise<readonly TreeNode[]>
  outline(signal: AbortSignal): AsyncIterable<readonly OutlineNode[]>
}

/** A version in the making. Reads see the version before it. */
export interface TreeDraft {
  /** undefined when the tenant has no tree yet */
  readonly base: DraftView | undefined
  /** Tells all keys that the version will have, in order, before many are put: a store may lay out its partitions for them. */
  plan(orderKeys: readonly string[], signal: AbortSignal): Promise<void>
  /** Puts nodes at their keys, whatever stood there. */
  put(nodes: readonly TreeNode[], signal: AbortSignal): Promise<void>
  /** Leaves keys without a node. */
  clear(orderKeys: readonly string[], signal: AbortSignal): Promise<void>
  /** The transaction that makes the version visible, for rows that must be committed with it; undefined where the store has none. */
  readonly transaction: Queryable | undefined
  /** Keeps removed subtrees in the trash; a draft that fails keeps none. @param chunks - in order, those of one subtree next to each other */
  discard(chunks: AsyncIterable<TrashChunk>, signal: AbortSignal): Promise<void>
  /** Removes a subtree from the trash once the version is visible. */
  forget(trashId: string, signal: AbortSignal): Promise<void>
}

/** Nodes of a removed subtree, or a part of them. */
export interface TrashChunk {
  /** of the subtree in the trash */
  readonly id: string
  /** JSON, the same in each chunk of a subtree: what lists return */
  readonly about: string
  /** JSON */
  readonly nodes: string
}

/** What an import has brought so far, in chunks of JSON: invisible, gone an hour after the import began. */
export interface ImportStage {
  /** `about` is given back by `find`. */
  begin(importId: string, about: string, signal: AbortSignal): Promise<void>
  find(importId: string, signal: AbortSignal): Promise<string | undefined>
  /** Replaces what `find` gives back. */
  note(importId: string, about: string, signal: AbortSignal): Promise<void>
  /** The same index twice replaces the chunk. @param chunk - JSON: how its nodes hang together, and apart from that their texts */
  append(importId: string, index: number, chunk: { readonly outline: string; readonly content: string }, signal: AbortSignal): Promise<void>
  /** In the order of their indexes. */
  outlines(importId: string, signal: AbortSignal): AsyncIterable<{ readonly index: number; readonly outline: string }>
  /** undefined when there is no such chunk */
  content(importId: string, index: number, signal: AbortSignal): Promise<string | undefined>
  /** Removes the chunks; what `find` gives back stays. */
  empty(importId: string, signal: AbortSignal): Promise<void>
}

/** Subtrees that drafts have discarded, under ids that sort by time: kept until they are restored, purged or too old. */
export interface Trash {
  find(tenant: string, id: string, signal: AbortSignal): Promise<string | undefined>
  /** At most `limit`, the last first, behind the one with the id `after`. */
  list(
    tenant: string,
    after: string | undefined,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly about: string }[]>
  /** In their order. */
  chunks(tenant: string, id: string, signal: AbortSignal): AsyncIterable<string>
  /** Forgets all whose ids sort before that one. */
  expire(before: string, signal: AbortSignal): Promise<void>
}

/**
 * Keeps one tree per tenant, in versions: readers pin one and are not disturbed by writers.
 * A store that is away is EngineUnavailable. Nothing is retried here.
 */
export interface TreeStore extends Part {
  readonly engine: string
  readonly stage: ImportStage
  readonly trash: Trash
  /** What is visible now; undefined for a tenant without a tree. */
  latest(tenant: string, signal: AbortSignal): Promise<DraftView | undefined>
  /** An older version, as long as it is kept (an hour after it was superseded); undefined after that. */
  view(tenant: string, version: number, signal: AbortSignal): Promise<TreeView | undefined>
  /** The visible version of every tenant. */
  versions(signal: AbortSignal): Promise<readonly TreeVersion[]>
  /**
   * Makes the next version: everything that `work` puts and clears becomes visible at once when it resolves, nothing when it throws.
   * A draft without changes makes no version. Writers of one tenant take turns.
   * @param window - of who waits for it: a version that would become visible too late does not
   * @throws {EngineUnavailable} also when another writer does not finish in time
   * @throws {DeadlineExceeded} for lack of time: nothing became visible   @throws {OutcomeUnknown} when it was lost whether it did
   */
  write<Result>(tenant: string, work: (draft: TreeDraft) => Promise<Result>, signal: AbortSignal, window?: CommitWindow): Promise<Result>
  /** Removes what only versions superseded before that moment show, and stages begun before it. */
  purge(before: Date, signal: AbortSignal): Promise<void>
  /** @throws {EngineUnavailable} when it does not answer before the signal is aborted */
  health(signal: AbortSignal): Promise<void>
}
