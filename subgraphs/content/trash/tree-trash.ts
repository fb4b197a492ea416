import { v7 as timedUuid } from 'uuid'
import { keysBetween } from '../../../engines/tree-store/order-keys.ts'
import type { DraftView, TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { Fault, NotFound } from '../../../foundation/fault.ts'
import { isUuid } from '../../../foundation/validation/values.ts'
import { type EditDependencies, type EditRequest, recordAction } from '../tree/editing.ts'
import { updatedNow } from '../tree/node-rules.ts'
import { apply, grown, placeFor, roomBetween } from '../tree/placement.ts'
import { aboutRemoved, chunksOf, nodesIn, type RemovedSubtree, removedSubtree } from '../tree/removed-subtree.ts'
import { nodeIn, subtreeOf } from '../tree/subtree.ts'

const absent = 'Not found in the trash: it was restored, purged, or has expired'
/** ids per lookup */
const idsAtOnce = 1000

/** Moves nodes to the trash and restores them. */
export class TreeTrash {
  readonly #parts: EditDependencies

  constructor(parts: EditDependencies) {
    this.#parts = parts
  }

  /**
   * Moves a node and its descendants to the trash.
   * @returns the removed subtree with all ids in pre-order  @throws {NotFound}  @throws {Fault} LIMIT_EXCEEDED
   */
  async remove(tenant: string, id: string, request: EditRequest): Promise<RemovedSubtree & { readonly ids: readonly string[] }> {
    const { store, clock } = this.#parts
    const { deadline, principal } = request
    const { signal } = deadline
    const at = clock.now()
    const trashId = timedUuid({ msecs: at })
    return await store.write(
      tenant,
      async (draft) => {
        const { base, node } = await nodeIn(draft, id, signal)
        const subtree = await subtreeOf(base, node, signal)
        const about = aboutRemoved(node, subtree.length, at, principal)
        await recordAction(this.#parts.audit, request, { name: 'remove', tenant, target: id, details: { nodes: subtree.length } }, draft)
        await draft.discard(chunksOf(subtree.map((each) => ({ trashId, about, node: each }))), signal)
        const keys = subtree.map(({ orderKey }) => orderKey)
        await draft.clear(keys, signal)
        const [parent] = node.parentId === null ? [] : await base.nodes([node.parentId], signal)
        if (parent !== undefined) await draft.put([grown(parent, -1)], signal)
        return { id: trashId, ...about, ids: subtree.map((each) => each.id) }
      },
      signal,
      deadline,
    )
  }

  /** Returns at most `limit` entries after the entry `after`, most recently deleted first. */
  async list(tenant: string, after: string | undefined, limit: number, signal: AbortSignal): Promise<readonly RemovedSubtree[]> {
    const records = await this.#parts.store.trash.list(tenant, after, limit, signal)
    return records.map(({ id, about }) => removedSubtree(id, about))
  }

  /**
   * Restores deleted nodes at their former position, with their ids.
   * @param parentId - the new parent; undefined for the former one
   * @returns the top node and the number of restored nodes
   * @throws {NotFound} for an unknown entry  @throws {Fault} CONFLICT when the parent does not exist, the tree has a root, or an id is in
   * use
   */
  async restore(
    tenant: string,
    id: string,
    parentId: string | undefined,
    request: EditRequest,
  ): Promise<{ readonly node: TreeNode; readonly restored: number }> {
    const { store, clock, placeholderIn } = this.#parts
    const { deadline } = request
    const { signal } = deadline
    const removed = await this.#removed(tenant, id, signal)
    const [top, ...below] = await nodesIn(store.trash.chunks(tenant, id, signal))
    if (top === undefined) throw new NotFound(absent)
    const above = parentId ?? top.parentId ?? undefined
    return await store.write(
      tenant,
      async (draft) => {
        const leaving = above === undefined ? await placeholderIn(draft.base, signal) : undefined
        const base = leaving === undefined ? draft.base : undefined
        await refuseTaken(base, [top, ...below], signal)
        const isSamePlace = above === (top.parentId ?? undefined)
        const place = await placeFor(base, top.id, above, isSamePlace ? top.position : undefined, signal).catch((error: unknown) => {
          throw error instanceof NotFound && parentId === undefined ? parentDeleted() : error
        })
        const count = below.length + 1
        const room = base === undefined ? undefined : await roomBetween(base, place.low, place.high, count, new Set(), signal)
        const keys = room?.keys ?? keysBetween(undefined, undefined, count)
        const depth = place.parent === undefined ? 0 : place.parent.depth + 1
        const node = { ...top, parentId: above ?? null, position: place.position, updatedAt: updatedNow(top, clock) }
        const nodes = [node, ...below].map((each, at) => ({
          ...each,
          depth: each.depth - top.depth + depth,
          orderKey: keys[at] ?? each.orderKey,
        }))
        await recordAction(
          this.#parts.audit,
          request,
          { name: 'restore', tenant, target: removed.contentId, details: { nodes: count } },
          draft,
        )
        const parents = place.parent === undefined ? [] : [grown(place.parent, 1)]
        const freedKeys = (leaving ?? []).map(({ orderKey }) => orderKey)
        await apply(draft, room, nodes, parents, freedKeys, signal)
        await draft.forget(id, signal)
        return { node: nodes[0] ?? node, restored: count }
      },
      signal,
      deadline,
    )
  }

  /** Removes an entry permanently. @throws {NotFound} */
  async purge(tenant: string, id: string, request: EditRequest): Promise<RemovedSubtree> {
    const { store, audit } = this.#parts
    const { deadline } = request
    const { signal } = deadline
    const removed = await this.#removed(tenant, id, signal)
    const { contentId: target, nodesCount: nodes } = removed
    await store.write(
      tenant,
      async (draft) => {
        await recordAction(audit, request, { name: 'purge', tenant, target, details: { nodes } }, draft)
        await draft.forget(id, signal)
      },
      signal,
      deadline,
    )
    return removed
  }

  async #removed(tenant: string, id: string, signal: AbortSignal): Promise<RemovedSubtree> {
    const about = isUuid(id) ? await this.#parts.store.trash.find(tenant, id, signal) : undefined
    if (about === undefined) throw new NotFound(absent)
    return removedSubtree(id, about)
  }
}

const parentDeleted = (): Fault =>
  new Fault('CONFLICT', 'The former parent was deleted; restore it first, or set `parentId` to another node')

/** @throws {Fault} CONFLICT for an id or external id that the tree contains */
async function refuseTaken(base: DraftView | undefined, nodes: readonly TreeNode[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < nodes.length; at += idsAtOnce) {
    const some = nodes.slice(at, at + idsAtOnce)
    const [same] =
      (await base?.nodes(
        some.map(({ id }) => id),
        signal,
      )) ?? []
    if (same !== undefined)
      throw new Fault('CONFLICT', `A node with the id ${same.id} exists in the tree: delete it before you restore this one`)
    const names = some.flatMap(({ externalId }) => externalId ?? [])
    const [named] = names.length === 0 ? [] : ((await base?.nodesByExternalId(names, signal)) ?? [])
    if (named !== undefined)
      throw new Fault(
        'CONFLICT',
        `A node with the externalId ${named.externalId} exists in the tree: delete it or change its externalId before you restore this one`,
      )
  }
}

const dayMs = 86_400_000

/** Returns the time at which a deletion expires. */
export const expiryOf = (removedAt: Date, retentionDays: number): Date => new Date(removedAt.getTime() + retentionDays * dayMs)

/** Returns the lowest id of the trash that has not expired. */
export const oldestRetained = (now: number, retentionDays: number): string => trashIdAt(now - retentionDays * dayMs)

/** Returns the lowest id of the trash for a time. */
export const trashIdAt = (moment: number): string => timedUuid({ msecs: Math.max(0, moment), random: new Uint8Array(16), seq: 0 })
