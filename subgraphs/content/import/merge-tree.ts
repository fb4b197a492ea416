import type { OutlineNode } from '../../../engines/tree-store/tree-store.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'
import { idFor, onlyRoot, rootName } from '../tree/node-rules.ts'

/** A node of an import, without its texts. */
export interface ImportedNode {
  readonly id: string | undefined
  readonly externalId: string | null
  /** keys within the import */
  readonly key: string | undefined
  readonly parentKey: string | undefined
  readonly parentId: string | undefined
  readonly parentExternalId: string | undefined
  readonly slug: string
  readonly position: number | undefined
  readonly contentHash: string
  /** chunk with the texts */
  readonly chunk: number
  readonly index: number
}

/** A node of the merged tree. */
export interface MergedNode {
  readonly id: string
  readonly parentId: string | null
  readonly position: number
  readonly depth: number
  readonly childrenCount: number
  readonly contentHash: string
  /** undefined for a present node that the import does not contain */
  readonly imported: ImportedNode | undefined
  /** undefined for a new node */
  readonly present: OutlineNode | undefined
}

export interface MergedTree {
  /** in pre-order */
  readonly nodes: readonly MergedNode[]
  readonly duplicates: number
  /** present nodes that the merged tree does not contain */
  readonly deleted: readonly OutlineNode[]
}

interface Draft {
  id: string
  readonly imported: ImportedNode | undefined
  present: OutlineNode | undefined
  parent: Draft | undefined
  position: number
  readonly children: Draft[]
  readonly externalId: string | null
  readonly slug: string
  readonly contentHash: string
  /** position in the import */
  readonly sequence: number
}

/** Reasons why the nodes do not form a tree. */
export const treeProblems = ['external_id_taken', 'tree_orphan', 'tree_second_root', 'tree_cycle', 'reserved'] as const
type TreeProblem = (typeof treeProblems)[number]

/** maximum of problems in a refusal; the others are counted */
const maxNamed = 20
const maxPosition = 2_147_483_647

/**
 * Merges imported nodes into the present tree, in steps: yields where it may pause.
 * @param mode - `replace` removes nodes that the import does not contain
 * @throws {InvalidInput} with ids: unknown parent, cycle, second root, external id of another node, or the root's name below the root
 */
export function* mergeTree(
  tenant: string,
  mode: 'upsert' | 'replace',
  present: readonly OutlineNode[],
  imported: readonly ImportedNode[],
): Generator<void, MergedTree> {
  const presentById = new Map<string, OutlineNode>()
  const presentByExternalId = new Map<string, OutlineNode>()
  for (const node of present) {
    yield
    presentById.set(node.id, node)
    if (node.externalId !== null) presentByExternalId.set(node.externalId, node)
  }
  const isUpsert = mode === 'upsert'

  // 1. one draft per imported node; of equal ones the last is used and the others point to it
  const byId = new Map<string, Draft>()
  const byExternalId = new Map<string, Draft>()
  const byKey = new Map<string, Draft>()
  const stands = new Map<Draft, Draft>()
  const currentOf = (draft: Draft | undefined): Draft | undefined => {
    let last = draft
    for (let next = last && stands.get(last); next !== undefined; next = stands.get(next)) last = next
    // shortens the chain, so that thousands of nodes with one id take linear time
    for (let each = draft; each !== undefined && last !== undefined && each !== last; ) {
      const next = stands.get(each)
      stands.set(each, last)
      each = next
    }
    return last
  }
  const drafts: Draft[] = []
  for (const [sequence, node] of imported.entries()) {
    yield
    const { externalId } = node
    const presentId = externalId === null ? undefined : presentByExternalId.get(externalId)?.id
    const id = node.id ?? presentId ?? (externalId === null ? '' : idFor(tenant, 'external', externalId))
    const draft: Draft = {
      ...{ id, imported: node, present: presentById.get(id), parent: undefined, position: node.position ?? Number.NaN, children: [] },
      ...{ externalId, slug: node.slug, contentHash: node.contentHash, sequence },
    }
    for (const former of [currentOf(byId.get(id)), externalId === null ? undefined : currentOf(byExternalId.get(externalId))])
      if (former !== undefined && former !== draft) stands.set(former, draft)
    if (id !== '') byId.set(id, draft)
    if (externalId !== null) byExternalId.set(externalId, draft)
    if (node.key !== undefined) byKey.set(node.key, draft)
    drafts.push(draft)
  }
  const coming = drafts.filter((draft) => !stands.has(draft))

  // 2. present nodes that stay
  const staying: Draft[] = []
  if (isUpsert) {
    for (const node of present) {
      yield
      if (byId.has(node.id)) continue
      const { id, position, externalId, slug, contentHash } = node
      const draft: Draft = {
        ...{ id, imported: undefined, present: node, parent: undefined, position, children: [] },
        ...{ externalId, slug, contentHash, sequence: -1 },
      }
      staying.push(draft)
      byId.set(id, draft)
    }
    refuse(
      'external_id_taken',
      staying.filter(({ externalId }) => externalId !== null && byExternalId.has(externalId)),
      (draft) => [`The externalId of the node ${draft.id} is used twice, with different ids`],
    )
  }

  // 3. parents
  const orphans: Draft[] = []
  for (const draft of staying) {
    yield
    draft.parent = draft.present?.parentId == null ? undefined : currentOf(byId.get(draft.present.parentId))
  }
  for (const draft of coming) {
    yield
    const { parentKey, parentId, parentExternalId } = draft.imported ?? {}
    if (parentKey !== undefined) draft.parent = currentOf(byKey.get(parentKey))
    else if (parentId !== undefined) draft.parent = currentOf(byId.get(parentId))
    else if (parentExternalId !== undefined) {
      const presentId = isUpsert ? presentByExternalId.get(parentExternalId)?.id : undefined
      draft.parent = currentOf(byExternalId.get(parentExternalId) ?? (presentId === undefined ? undefined : byId.get(presentId)))
    } else continue
    if (draft.parent === undefined) orphans.push(draft)
  }
  refuse('tree_orphan', orphans, (draft) => [
    `The parent of ${nameOf(draft)} is unknown: ${draft.imported?.parentId ?? draft.imported?.parentExternalId ?? draft.imported?.parentKey}`,
  ])

  // 4. ids of imported nodes without one; some turn out to be present nodes
  const named = yield* nameByPath(tenant, coming)
  for (const draft of named) draft.present = presentById.get(draft.id)
  const successors = new Map(named.flatMap((draft) => (byId.has(draft.id) ? [[byId.get(draft.id), draft] as const] : [])))
  const all = [...staying, ...coming].filter((draft) => !successors.has(draft))
  for (const draft of all) {
    yield
    draft.parent = successors.get(draft.parent) ?? draft.parent
    draft.parent?.children.push(draft)
  }
  const roots = all.filter(({ parent }) => parent === undefined)
  if (roots.length > 1) refuse('tree_second_root', roots, (draft) => [`${nameOf(draft)} has no parent; a tree has one root`])
  refuse(
    'reserved',
    all.filter(({ id, parent }) => id === rootName && parent !== undefined),
    () => [onlyRoot],
  )

  // 5. positions and order
  const nodes = yield* inPreOrder(all, roots)
  const remaining = new Set(nodes.map(({ id }) => id))
  return { nodes, duplicates: drafts.length - coming.length, deleted: present.filter(({ id }) => !remaining.has(id)) }
}

/** Settles positions and returns the nodes in pre-order. @throws {InvalidInput} for nodes that no root leads to */
function* inPreOrder(all: readonly Draft[], roots: readonly Draft[]): Generator<void, readonly MergedNode[]> {
  for (const draft of all) yield* settlePositions(draft.children)
  yield* settlePositions(roots)
  const nodes: MergedNode[] = []
  const waiting: { readonly draft: Draft; readonly depth: number }[] = roots.map((draft) => ({ draft, depth: 0 }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield
    const { draft, depth } = next
    const { id, parent, position, children, contentHash, imported: came, present: before } = draft
    nodes.push({
      id,
      parentId: parent?.id ?? null,
      position,
      depth,
      childrenCount: children.length,
      contentHash,
      imported: came,
      present: before,
    })
    children.sort((one, other) => other.position - one.position || (other.id < one.id ? -1 : 1))
    for (const child of children) waiting.push({ draft: child, depth: depth + 1 })
  }
  if (nodes.length < all.length) {
    const reached = new Set(nodes.map(({ id }) => id))
    refuse('tree_cycle', cycleAmong(all.filter(({ id }) => !reached.has(id))), (draft) => [`${nameOf(draft)} is its own descendant`])
  }
  return nodes
}

/** Keeps the position of a node below the same parent; places other nodes without a position last, in import order. */
function* settlePositions(siblings: readonly Draft[]): Generator<void> {
  const open: Draft[] = []
  let last = -1
  for (const draft of siblings) {
    yield
    if (Number.isNaN(draft.position) && draft.present !== undefined && draft.present.parentId === (draft.parent?.id ?? null))
      draft.position = draft.present.position
    if (Number.isNaN(draft.position)) open.push(draft)
    else last = Math.max(last, draft.position)
  }
  for (const draft of open.sort((one, other) => one.sequence - other.sequence)) {
    last = Math.min(last + 1, maxPosition)
    draft.position = last
  }
}

/**
 * Assigns ids to nodes without id and external id, derived from the parent's id and the slug; equal slugs of siblings are numbered.
 * The id therefore represents the path of slugs from the nearest ancestor with its own id.
 * @returns the nodes that received an id
 */
function* nameByPath(tenant: string, coming: readonly Draft[]): Generator<void, readonly Draft[]> {
  if (coming.every(({ id }) => id !== '')) return []
  const below = Map.groupBy(coming, ({ parent }) => parent)
  const named: Draft[] = []
  const parents: (Draft | undefined)[] = [...below.keys()].filter((parent) => parent?.id !== '')
  for (let at = 0; at < parents.length; at++) {
    const parent = parents[at]
    const siblings = [...(below.get(parent) ?? [])].sort((one, other) => placeIn(one) - placeIn(other) || one.sequence - other.sequence)
    const numbers = new Map<string, number>()
    for (const draft of siblings) {
      yield
      const number = (numbers.get(draft.slug) ?? 0) + 1
      numbers.set(draft.slug, number)
      if (draft.id !== '') continue
      draft.id = idFor(tenant, 'path', JSON.stringify([parent?.id ?? '', draft.slug, number]))
      named.push(draft)
      if (below.has(draft)) parents.push(draft)
    }
  }
  return named
}

const placeIn = ({ imported }: Draft): number => imported?.position ?? maxPosition + 1

/** Returns the nodes of a cycle; every unreachable node is below one. */
function cycleAmong(unreached: readonly Draft[]): readonly Draft[] {
  const seen = new Set<Draft>()
  let draft = unreached[0]
  while (draft !== undefined && !seen.has(draft)) {
    seen.add(draft)
    draft = draft.parent
  }
  const ring: Draft[] = []
  for (let at = draft; at !== undefined && !ring.includes(at) && ring.length < maxNamed; at = at.parent) ring.push(at)
  return ring
}

function nameOf({ id, externalId, imported }: Draft): string {
  if (id !== '') return `the node ${id}`
  return externalId === null ? `the node "${imported?.key ?? imported?.slug ?? ''}"` : `the node "${externalId}"`
}

function refuse(code: TreeProblem, drafts: readonly Draft[], sentencesOf: (draft: Draft) => readonly string[]): void {
  if (drafts.length === 0) return
  const entryOf = (message: string): Violation => ({ code, path: ['nodes'], message })
  const sentences = drafts.slice(0, maxNamed).flatMap(sentencesOf)
  const entries = sentences.map((sentence) => entryOf(sentence.charAt(0).toUpperCase() + sentence.slice(1)))
  if (drafts.length > maxNamed) entries.push(entryOf(`… and ${drafts.length - maxNamed} more`))
  throw new InvalidInput(entries[0]?.message ?? code, entries)
}
