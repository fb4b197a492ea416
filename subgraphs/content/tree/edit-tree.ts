import { v7 as newUuid } from 'uuid'
import type { NodeContent, TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { Fault, InvalidInput, NotFound } from '../../../foundation/fault.ts'
import { type EditDependencies, type EditRequest, recordAction } from './editing.ts'
import { hashOf, idFor, onlyRoot, rootName, updatedNow } from './node-rules.ts'
import { apply, grown, placeFor, roomBetween } from './placement.ts'
import { nodeIn, subtreeOf } from './subtree.ts'

export interface NewNode {
  readonly id: string | undefined
  readonly parentId: string | undefined
  /** undefined places the node last */
  readonly position: number | undefined
  readonly content: NodeContent
}

export interface NodeChange {
  readonly id: string
  readonly change: (content: NodeContent) => NodeContent
  /** time of the last change that the client has read; undefined overwrites any version */
  readonly ifUpdatedAt: Date | undefined
}

/** Changes single nodes; each change is one version of the tree, all or nothing. */
export class EditTree {
  readonly #parts: EditDependencies

  constructor(parts: EditDependencies) {
    this.#parts = parts
  }

  /**
   * @returns the node, and whether it is new: repeating the call changes nothing
   * @throws {NotFound} unknown parent  @throws {Fault} CONFLICT: a second root, or another node with that id or external id
   * @throws {InvalidInput} for the root's name below the root
   */
  create(tenant: string, wanted: NewNode, request: EditRequest): Promise<{ readonly node: TreeNode; readonly created: boolean }> {
    const { store, clock, audit, placeholderIn } = this.#parts
    const { deadline } = request
    const { signal } = deadline
    return store.write(
      tenant,
      async (draft) => {
        const { base } = draft
        const { externalId } = wanted.content
        const [named] = externalId === null ? [] : ((await base?.nodesByExternalId([externalId], signal)) ?? [])
        const id = wanted.id ?? named?.id ?? (externalId === null ? newUuid() : idFor(tenant, 'external', externalId))
        const [same] = (await base?.nodes([id], signal)) ?? []
        const present = named ?? same
        if (present !== undefined) {
          if (isSame(present, id, wanted)) return { node: present, created: false }
          throw new Fault(
            'CONFLICT',
            `Another node has this ${named === undefined ? 'id' : 'externalId'}: use a different one, or update that node`,
          )
        }
        if (id === rootName && wanted.parentId !== undefined)
          throw new InvalidInput(onlyRoot, [{ code: 'reserved', path: ['id'], message: onlyRoot }])
        const leaving = wanted.parentId === undefined ? await placeholderIn(base, signal) : undefined
        const unchangedBase = leaving === undefined ? base : undefined
        const place = await placeFor(unchangedBase, id, wanted.parentId, wanted.position, signal)
        const at = new Date(clock.now())
        const { content } = wanted
        const room = unchangedBase === undefined ? undefined : await roomBetween(unchangedBase, place.low, place.high, 1, new Set(), signal)
        const node: TreeNode = {
          ...content,
          id,
          parentId: wanted.parentId ?? null,
          position: place.position,
          depth: place.parent === undefined ? 0 : place.parent.depth + 1,
          childrenCount: 0,
          orderKey: room?.keys[0] ?? 'V',
          contentHash: hashOf(content),
          createdAt: at,
          updatedAt: at,
        }
        const freedKeys = (leaving ?? []).map(({ orderKey }) => orderKey)
        await apply(draft, room, [node], place.parent === undefined ? [] : [grown(place.parent, 1)], freedKeys, signal)
        const details = { nodes: 1, parentId: node.parentId }
        await recordAction(audit, request, { name: 'create', tenant, target: id, details }, draft)
        return { node, created: true }
      },
      signal,
      deadline,
    )
  }

  /**
   * @throws {NotFound}
   * @throws {Fault} CONFLICT for the external id of another node, and when the node changed since the client read it
   */
  update(tenant: string, { id, change, ifUpdatedAt }: NodeChange, request: EditRequest): Promise<TreeNode> {
    const { store, clock, audit } = this.#parts
    const { deadline } = request
    const { signal } = deadline
    return store.write(
      tenant,
      async (draft) => {
        const { base, node } = await nodeIn(draft, id, signal)
        if (ifUpdatedAt !== undefined && ifUpdatedAt.getTime() !== node.updatedAt.getTime())
          throw new Fault('CONFLICT', 'The node was changed since it was read; read it again')
        const content = change(contentIn(node))
        const contentHash = hashOf(content)
        if (contentHash === node.contentHash) return node
        if (content.externalId !== null && content.externalId !== node.externalId) {
          const [other] = await base.nodesByExternalId([content.externalId], signal)
          if (other !== undefined) throw new Fault('CONFLICT', 'Another node has this externalId: use a different one, or update that node')
        }
        const changed = { ...node, ...content, contentHash, updatedAt: updatedNow(node, clock) }
        await draft.put([changed], signal)
        await recordAction(audit, request, { name: 'update', tenant, target: id, details: { nodes: 1 } }, draft)
        return changed
      },
      signal,
      deadline,
    )
  }

  /** @throws {NotFound}  @throws {InvalidInput} when the node would be below itself, or is the root */
  move(tenant: string, id: string, parentId: string, position: number | undefined, request: EditRequest): Promise<TreeNode> {
    const { store, clock, audit } = this.#parts
    const { deadline } = request
    const { signal } = deadline
    return store.write(
      tenant,
      async (draft) => {
        const { base, node } = await nodeIn(draft, id, signal)
        const subtree = await subtreeOf(base, node, signal)
        const inside = new Set(subtree.map((each) => each.id))
        if (inside.has(parentId)) {
          const message = `The node ${id} cannot be moved below itself`
          throw new InvalidInput(message, [{ code: 'tree_cycle', path: ['parentId'], message }])
        }
        const place = await placeFor(base, id, parentId, position, signal)
        if (place.parent === undefined) throw new NotFound()
        if (node.parentId === parentId && node.position === place.position) return node
        const deeper = place.parent.depth + 1 - node.depth
        const stays = subtree.some(({ orderKey }) => orderKey === place.low || orderKey === place.high)
        const room = stays ? undefined : await roomBetween(base, place.low, place.high, subtree.length, inside, signal)
        const updatedAt = new Date(clock.now())
        const moved = subtree.map((each, at) => ({
          ...each,
          depth: each.depth + deeper,
          orderKey: room?.keys[at] ?? each.orderKey,
          ...(each.id === id ? { parentId, position: place.position, updatedAt } : {}),
        }))
        const [former] = node.parentId === null || node.parentId === parentId ? [] : await base.nodes([node.parentId], signal)
        const parents = former === undefined ? [] : [grown(former, -1), grown(place.parent, 1)]
        const freedKeys = room === undefined ? [] : subtree.map(({ orderKey }) => orderKey)
        await apply(draft, room, moved, parents, freedKeys, signal)
        const details = { nodes: subtree.length, from: node.parentId, to: parentId }
        await recordAction(audit, request, { name: 'move', tenant, target: id, details }, draft)
        const [top] = moved
        return top ?? node
      },
      signal,
      deadline,
    )
  }
}

function isSame(present: TreeNode, id: string, { parentId, position, content }: NewNode): boolean {
  return (
    present.id === id &&
    present.parentId === (parentId ?? null) &&
    present.contentHash === hashOf(content) &&
    (position === undefined || present.position === position)
  )
}

export function contentIn({ externalId, title, slug, summary, body, locale, media, metadata }: TreeNode): NodeContent {
  return { externalId, title, slug, summary, body, locale, media, metadata }
}
