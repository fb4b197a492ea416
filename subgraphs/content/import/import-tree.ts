import { randomUUID } from 'node:crypto'
import { validate as isUuid, v7 as timedUuid } from 'uuid'
import { z } from 'zod'
import { rearrangedKeys } from '../../../engines/tree-store/order-keys.ts'
import { type NodeContent, nodesInParts, type OutlineNode, type TreeDraft, type TreeNode } from '../../../engines/tree-store/tree-store.ts'
import type { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { inSteps } from '../../../foundation/concurrency/steps.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { Fault, InvalidInput, NotFound, refuseViolations } from '../../../foundation/fault.ts'
import { maxReportedIds } from '../../../foundation/graphql/connection.ts'
import type { Principal } from '../../../foundation/principal.ts'
import { isStorableMoment } from '../../../foundation/validation/values.ts'
import { required, tooMany, tooSmall } from '../../../foundation/validation/violation.ts'
import { type EditDependencies, type EditRequest, recordAction } from '../tree/editing.ts'
import { contentOf, hashOf, type NodeInput, problemsOf } from '../tree/node-rules.ts'
import { aboutRemoved, chunksOf, type RemovedNode } from '../tree/removed-subtree.ts'
import { ContentImportMode } from '../vocabulary.ts'
import { type ImportedNode, type MergedNode, mergeTree, treeProblems } from './merge-tree.ts'

export interface ImportSummary {
  readonly received: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  /** the first ids in pre-order; empty for a dry run */
  readonly deletedIds: readonly string[]
  readonly duplicatesRemoved: number
  readonly durationMs: number
}

const Summary = z.object({
  received: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  deleted: z.int(),
  // absent in summaries of earlier releases
  deletedIds: z.array(z.string()).default([]),
  duplicatesRemoved: z.int(),
  durationMs: z.number(),
})
const About = z.object({
  tenant: z.string(),
  mode: z.enum(ContentImportMode),
  dryRun: z.boolean(),
  begunAt: z.number(),
  /** present when finished */
  summary: Summary.optional(),
  /** present when refused, with the reason */
  refused: z
    .object({
      message: z.string(),
      entries: z
        .array(z.object({ code: z.enum([...treeProblems, 'too_many', 'too_long']), path: z.array(z.string()), message: z.string() }))
        .catch([]),
    })
    .optional(),
})
export type ImportAbout = z.output<typeof About>

/** A node of an import as a client submits it: its parent by id, external id or key within the import. */
export interface ImportNodeInput extends NodeInput {
  readonly parentId?: string | null | undefined
  readonly parentExternalId?: string | null | undefined
  readonly key?: string | null | undefined
  readonly parentKey?: string | null | undefined
  readonly position?: number | null | undefined
  readonly createdAt?: Date | null | undefined
  readonly updatedAt?: Date | null | undefined
}

/** A staged node without its texts. */
type StagedPlace = Omit<ImportedNode, 'chunk' | 'index'>
/** The texts of a staged node. */
interface StagedContent {
  readonly content: NodeContent
  readonly createdAt: string | undefined
  readonly updatedAt: string | undefined
}

const absent = 'Import not found: it was finished, or started more than an hour ago'
const maxNodes = 1000
/** maximum of nodes of an import and of the tree that results: the outlines of both are in memory together */
export const maxTreeNodes = 250_000
/** maximum of characters of the outline of an import */
const maxOutlineCharacters = 128 * 1024 * 1024
/** maximum of ids of removed nodes in an audit record; the count covers all */
const recordedIds = 100
/** nodes with texts that are read per step while they move to the trash */
const discardedAtOnce = 25
const unconfirmed = {
  ...required(['confirm']),
  message: 'The import contains no nodes and replaces the whole tree: set `confirm` to true to move every node to the trash',
}
/** maximum duration of finishing; the client repeats its call every `answerMs` */
const finishLimitMs = 600_000
const answerMs = 3000

/** Imports many nodes: stages them in invisible chunks, then merges and writes them as one version, all or nothing. */
export class ImportTree {
  readonly #parts: EditDependencies
  readonly #store: EditDependencies['store']
  readonly #finishing = new Map<string, Promise<ImportSummary>>()

  constructor(parts: EditDependencies) {
    this.#parts = parts
    this.#store = parts.store
  }

  async start(tenant: string, mode: ImportAbout['mode'], dryRun: boolean, request: EditRequest): Promise<string> {
    const { deadline } = request
    const importId = randomUUID()
    const about: ImportAbout = { tenant, mode, dryRun, begunAt: this.#parts.clock.now() }
    await recordAction(this.#parts.audit, request, { name: 'import.start', tenant, target: importId, details: { mode, dryRun } })
    await deadline.commit(() => this.#store.stage.begin(importId, JSON.stringify(about), deadline.signal))
    return importId
  }

  /** @throws {NotFound} for an unknown or expired import */
  async about(importId: string, signal: AbortSignal): Promise<ImportAbout> {
    // ids are UUIDs; other text might be invalid for the store
    const text = isUuid(importId) ? await this.#store.stage.find(importId, signal) : undefined
    if (text === undefined) throw new NotFound(absent)
    return About.parse(JSON.parse(text))
  }

  /**
   * Stages nodes; a repeated sequence number replaces the earlier chunk.
   * @throws {InvalidInput} with paths `["nodes", index, member]`; nothing of the request is stored
   * @throws {NotFound} for an unknown or finished import  @throws {DeadlineExceeded} nothing was staged
   */
  async append(importId: string, sequence: number, nodes: readonly ImportNodeInput[], deadline: Deadline): Promise<void> {
    if (nodes.length > maxNodes) {
      const violation = tooMany(['nodes'], maxNodes, nodes.length)
      throw new InvalidInput(violation.message, [violation])
    }
    const entries = nodes.flatMap((node, index) => problemsOf(node).map((entry) => ({ ...entry, path: ['nodes', index, ...entry.path] })))
    refuseViolations([...(sequence < 0 ? [tooSmall(['sequence'], 0)] : []), ...entries].slice(0, 100))
    const { summary, refused } = await this.about(importId, deadline.signal)
    if (summary !== undefined || refused !== undefined) throw new NotFound(absent)
    await deadline.commit(() => this.#store.stage.append(importId, sequence, chunkOf(nodes), deadline.signal))
  }

  /**
   * Merges the staged nodes and publishes them. Returns undefined while the work continues: call again.
   * @param isConfirmed - allows an import without nodes to replace a tree
   * @throws {InvalidInput} with ids, when the nodes do not form a tree: nothing is written and the import ends
   * @throws {InvalidInput} for a missing `confirm`: the import stays open
   */
  async finish(importId: string, isConfirmed: boolean, request: EditRequest): Promise<ImportSummary | undefined> {
    const { deadline } = request
    const { signal } = deadline
    const about = await this.about(importId, signal)
    if (about.refused !== undefined) throw new InvalidInput(about.refused.message, about.refused.entries)
    if (about.summary !== undefined) return about.summary
    const mustBeConfirmed = about.mode === 'replace' && !about.dryRun && !isConfirmed
    if (mustBeConfirmed && (await this.#isEmpty(importId, signal))) throw new InvalidInput(unconfirmed.message, [unconfirmed])
    const running = this.#finishing.get(importId) ?? this.#begin(importId, about, request)
    // the work continues even when the client disconnects
    deadline.recordCommit()
    const timeoutError = new Fault('DEADLINE_EXCEEDED', 'not yet')
    try {
      return await withTimeout(running, Math.min(answerMs, deadline.remainingMs / 2), signal, () => timeoutError)
    } catch (error) {
      if (error === timeoutError) return undefined
      throw error
    }
  }

  async #isEmpty(importId: string, signal: AbortSignal): Promise<boolean> {
    for await (const { outline } of this.#store.stage.outlines(importId, signal)) if (outline !== '[]') return false
    return true
  }

  #begin(importId: string, about: ImportAbout, request: EditRequest): Promise<ImportSummary> {
    const signal = AbortSignal.timeout(finishLimitMs)
    const running = this.#run(importId, about, request, signal).catch(async (error: unknown) => {
      // an invalid tree stays invalid, so later calls get the same refusal; other failures can be retried
      if (error instanceof InvalidInput) await this.#refuse(importId, about, error, request, signal).catch(() => undefined)
      throw error
    })
    this.#finishing.set(importId, running)
    const forget = (): boolean => this.#finishing.delete(importId)
    running.then(forget, forget)
    return running
  }

  async #refuse(
    importId: string,
    about: ImportAbout,
    { message, details }: InvalidInput,
    request: EditRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { tenant, mode, dryRun } = about
    const act = { name: 'import.finish', outcome: 'refused', tenant, target: importId, details: { mode, dryRun } } as const
    await recordAction(this.#parts.audit, request, act)
    const refused = { message, entries: details.entries ?? [] }
    await this.#store.stage.note(importId, JSON.stringify({ ...about, refused }), signal)
    await this.#store.stage.empty(importId, signal)
  }

  async #run(importId: string, about: ImportAbout, request: EditRequest, signal: AbortSignal): Promise<ImportSummary> {
    const { stage } = this.#store
    const imported = await this.#outline(importId, signal)
    const written = async (draft: TreeDraft): Promise<ImportSummary> => {
      // another process may have finished it meanwhile
      const { summary } = await this.about(importId, signal)
      if (summary !== undefined) return summary
      const written = await this.#write(importId, about, imported, { draft, request, signal })
      const { durationMs: _, deletedIds, ...counts } = written
      const { tenant, mode, dryRun } = about
      const details = { mode, dryRun, ...counts, deletedIds: deletedIds.slice(0, recordedIds) }
      await recordAction(this.#parts.audit, request, { name: 'import.finish', tenant, target: importId, details }, draft)
      return written
    }
    const summary = about.dryRun
      ? await written(await this.#dryDraft(about.tenant, signal))
      : await this.#store.write(about.tenant, written, signal)
    await stage.note(importId, JSON.stringify({ ...about, summary }), signal)
    await stage.empty(importId, signal)
    return summary
  }

  /** only reads; writes are discarded */
  async #dryDraft(tenant: string, signal: AbortSignal): Promise<TreeDraft> {
    return {
      base: await this.#store.latest(tenant, signal),
      plan: async () => undefined,
      put: async () => undefined,
      clear: async () => undefined,
      transaction: undefined,
      discard: async () => undefined,
      forget: async () => undefined,
    }
  }

  async #outline(importId: string, signal: AbortSignal): Promise<readonly ImportedNode[]> {
    const nodes: ImportedNode[] = []
    let characters = 0
    for await (const { index: chunk, outline } of this.#store.stage.outlines(importId, signal)) {
      characters += outline.length
      if (characters > maxOutlineCharacters) {
        const message = `The ids, external ids and slugs of an import have at most ${maxOutlineCharacters} characters`
        throw new InvalidInput(message, [{ code: 'too_long', path: ['nodes'], message }])
      }
      // written by `append`
      const places = JSON.parse(outline) as readonly StagedPlace[]
      for (const [index, place] of places.entries()) nodes.push({ ...place, chunk, index })
      refuseCrowded(nodes.length)
    }
    return nodes
  }

  async #write(
    importId: string,
    about: ImportAbout,
    imported: readonly ImportedNode[],
    { draft, request, signal }: { readonly draft: TreeDraft; readonly request: EditRequest; readonly signal: AbortSignal },
  ): Promise<ImportSummary> {
    const { clock, placeholderIn } = this.#parts
    const present: OutlineNode[] = []
    if (draft.base !== undefined) for await (const page of draft.base.outline(signal)) present.push(...page)
    const placeholder = containsNewRoot(imported, present) ? await placeholderIn(draft.base, signal) : undefined
    const mode = placeholder === undefined ? about.mode : 'replace'
    const { nodes, duplicates, deleted } = await inSteps(mergeTree(about.tenant, mode, present, imported), signal)
    refuseCrowded(nodes.length)
    const keys = await inSteps(rearrangedKeys(nodes.map((node) => node.present?.orderKey)), signal)
    const changes = nodes.map((node, at) => ({ node, orderKey: keys[at] ?? '', ...changeOf(node, keys[at] ?? '') }))
    const taken = new Set(keys)
    const cleared = present.map(({ orderKey }) => orderKey).filter((key) => !taken.has(key))
    const isChanged = cleared.length > 0 || changes.some(({ change }) => change !== undefined)
    // a placeholder does not belong to the tenant
    const removed = placeholder === undefined ? deleted : []
    if (isChanged) await draft.plan(keys, signal)
    await draft.discard(chunksOf(removedNodes(removed, draft, clock.now(), request.principal, signal)), signal)
    await draft.clear(cleared, signal)
    const at = new Date(clock.now())
    await this.#putImported(
      importId,
      changes.filter(({ change, node }) => change !== undefined && node.imported !== undefined),
      draft,
      at,
      signal,
    )
    await putPresent(
      changes.filter(({ change, node }) => change !== undefined && node.imported === undefined),
      draft,
      signal,
    )
    const came = changes.filter(({ node }) => node.imported !== undefined)
    const count = (kind: Change | undefined): number => came.filter(({ change }) => change === kind).length
    return {
      received: imported.length,
      created: count('created'),
      updated: count('updated'),
      unchanged: count(undefined) + count('shifted'),
      deleted: removed.length,
      deletedIds: about.dryRun ? [] : removed.slice(0, maxReportedIds).map(({ id }) => id),
      duplicatesRemoved: duplicates,
      durationMs: Math.round(clock.now() - about.begunAt),
    }
  }

  async #putImported(importId: string, changes: readonly ChangedNode[], draft: TreeDraft, at: Date, signal: AbortSignal): Promise<void> {
    if (changes.length === 0) return
    const byChunk = Map.groupBy(changes, ({ node }) => node.imported?.chunk ?? -1)
    for (const [chunk, wanted] of byChunk) {
      const text = await this.#store.stage.content(importId, chunk, signal)
      // written by `append`
      const rows = text === undefined ? [] : (JSON.parse(text) as readonly StagedContent[])
      const presentIds = wanted.flatMap(({ node }) => (node.present === undefined ? [] : [node.present.id]))
      const before = new Map<string, Pick<TreeNode, 'createdAt' | 'updatedAt'>>()
      if (draft.base !== undefined)
        for await (const some of nodesInParts(draft.base, presentIds, signal))
          for (const { id, createdAt, updatedAt } of some) before.set(id, { createdAt, updatedAt })
      const nodes = wanted.map(({ node, orderKey, change }): TreeNode => {
        const row = rows[node.imported?.index ?? -1]
        if (row === undefined) throw new Fault('CONFLICT', 'The import was changed while it was being finished; finish it again')
        const former = before.get(node.id)
        const createdAt = former?.createdAt ?? momentOf(row.createdAt, at) ?? at
        const updatedAt = change === 'created' ? (momentOf(row.updatedAt, at) ?? at) : change === 'updated' ? at : (former?.updatedAt ?? at)
        return { ...row.content, ...placeOf(node), orderKey, createdAt, updatedAt }
      })
      await draft.put(nodes, signal)
    }
  }
}

/** @throws {InvalidInput} for more nodes than a tree may have */
function refuseCrowded(nodes: number): void {
  if (nodes <= maxTreeNodes) return
  const message = `A tree has at most ${maxTreeNodes} nodes`
  throw new InvalidInput(message, [{ ...tooMany(['nodes'], maxTreeNodes), message }])
}

/** Yields the removed nodes: one subtree in the trash for each node whose parent stays or does not exist. Reads texts in steps. */
async function* removedNodes(
  removed: readonly OutlineNode[],
  { base }: Pick<TreeDraft, 'base'>,
  at: number,
  principal: Principal,
  signal: AbortSignal,
): AsyncGenerator<RemovedNode> {
  if (base === undefined) return
  const trashIds = new Map<string, string>()
  const childrenCounts = new Map<string, number>()
  // pre-order: a parent comes before its children
  for (const { id, parentId } of removed) {
    const above = parentId === null ? undefined : trashIds.get(parentId)
    trashIds.set(id, above ?? timedUuid({ msecs: at }))
    if (above !== undefined && parentId !== null) childrenCounts.set(parentId, (childrenCounts.get(parentId) ?? 0) + 1)
  }
  const subtrees = Map.groupBy(removed, ({ id }) => trashIds.get(id) ?? id)
  const ordered = [...subtrees].flatMap(([trashId, nodes]) => nodes.map(({ id }) => ({ trashId, id, nodesCount: nodes.length })))
  let about: RemovedNode['about'] | undefined
  let trashId: string | undefined
  for (let from = 0; from < ordered.length; from += discardedAtOnce) {
    const step = ordered.slice(from, from + discardedAtOnce)
    const ids = step.map(({ id }) => id)
    const texts = new Map<string, TreeNode>()
    for await (const nodes of nodesInParts(base, ids, signal)) for (const node of nodes) texts.set(node.id, node)
    for (const each of step) {
      const stored = texts.get(each.id)
      if (stored === undefined) throw new Fault('CONFLICT', 'The tree was changed while the import was being finished; finish it again')
      if (about === undefined || each.trashId !== trashId) about = aboutRemoved(stored, each.nodesCount, at, principal)
      trashId = each.trashId
      yield { trashId, about, node: { ...stored, childrenCount: childrenCounts.get(each.id) ?? 0 } }
    }
  }
}

/** `shifted`: only depth, key or number of children changed */
type Change = 'created' | 'updated' | 'shifted'

interface ChangedNode {
  readonly node: MergedNode
  readonly orderKey: string
  readonly change?: Change | undefined
}

function changeOf(
  { present, contentHash, parentId, position, depth, childrenCount }: MergedNode,
  orderKey: string,
): { readonly change?: Change } {
  if (present === undefined) return { change: 'created' }
  if (present.contentHash !== contentHash || present.parentId !== parentId || present.position !== position) return { change: 'updated' }
  const same = present.orderKey === orderKey && present.depth === depth && present.childrenCount === childrenCount
  return same ? {} : { change: 'shifted' }
}

function placeOf({ id, parentId, position, depth, childrenCount, contentHash }: MergedNode) {
  return { id, parentId, position, depth, childrenCount, contentHash }
}

/** Writes present nodes that the import does not contain but that change, with their stored texts. */
async function putPresent(changes: readonly ChangedNode[], draft: TreeDraft, signal: AbortSignal): Promise<void> {
  for (let from = 0; from < changes.length; from += 500) {
    const step = new Map(changes.slice(from, from + 500).map((change) => [change.node.id, change]))
    if (draft.base === undefined) return
    for await (const formers of nodesInParts(draft.base, [...step.keys()], signal)) {
      const nodes = formers.flatMap((former) => {
        const change = step.get(former.id)
        return change === undefined ? [] : [{ ...former, ...placeOf(change.node), orderKey: change.orderKey }]
      })
      await draft.put(nodes, signal)
    }
  }
}

function chunkOf(nodes: readonly ImportNodeInput[]): { readonly outline: string; readonly content: string } {
  const places: StagedPlace[] = []
  const contents: StagedContent[] = []
  for (const node of nodes) {
    const content = contentOf(node)
    places.push({
      id: node.id ?? undefined,
      externalId: content.externalId,
      key: node.key ?? undefined,
      parentKey: node.parentKey ?? undefined,
      parentId: node.parentId ?? undefined,
      parentExternalId: node.parentExternalId ?? undefined,
      slug: content.slug,
      position: node.position ?? undefined,
      contentHash: hashOf(content),
    })
    contents.push({ content, createdAt: node.createdAt?.toISOString(), updatedAt: node.updatedAt?.toISOString() })
  }
  return { outline: JSON.stringify(places), content: JSON.stringify(contents) }
}

/** Returns undefined for a time after the import. */
function momentOf(text: string | undefined, importedAt: Date): Date | undefined {
  const at = text === undefined ? undefined : new Date(text)
  return at !== undefined && isStorableMoment(at) && at <= importedAt ? at : undefined
}

/** Returns whether an import contains a root that is not one of these nodes. */
export function containsNewRoot(imported: readonly ImportedNode[], present: readonly Pick<TreeNode, 'id' | 'externalId'>[]): boolean {
  const presentIds = new Set(present.flatMap(({ id, externalId }) => [id, externalId]))
  return imported.some(
    ({ id, externalId, parentId, parentKey, parentExternalId }) =>
      parentId === undefined &&
      parentKey === undefined &&
      parentExternalId === undefined &&
      !(id !== undefined && presentIds.has(id)) &&
      !(externalId !== null && presentIds.has(externalId)),
  )
}
