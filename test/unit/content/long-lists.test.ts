import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { treeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import { isCut, type TreeNode, type TreeView } from '../../../engines/tree-store/tree-store.ts'
import { readNode, subtreeOf } from '../../../subgraphs/content/tree/read-tree.ts'
import { allInReadTurn, inReadTurn } from '../../../subgraphs/content/tree/read-turn.ts'
import { nodesIn } from '../../../subgraphs/content/tree/removed-subtree.ts'
import { type TreeAccess, type TreeReading, TreeSizes } from '../../../subgraphs/content/tree/tree-access.ts'

const signal = new AbortController().signal
const body = 'ж'.repeat(1_000_000)
const nodes = Array.from({ length: 13 }, (_, index) => ({
  ...{ id: `n${index}`, parentId: index === 0 ? null : 'n0', depth: index === 0 ? 0 : 1, childrenCount: index === 0 ? 12 : 0 },
  ...{ orderKey: `k${String(index).padStart(2, '0')}`, title: 'Node', slug: 'node', position: index, contentHash: '' },
  ...{ externalId: null, summary: null, body, locale: null, media: [], metadata: {} },
  ...{ createdAt: new Date(0), updatedAt: new Date(0) },
})) as readonly TreeNode[]
const idsOf = (list: readonly { readonly id: string }[] | undefined): string | undefined => list?.map(({ id }) => id).join(' ')

let folder: string
let view: TreeView
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'civigraph-long-'))
  const source = {
    version: { tenant: 'north', number: 1, at: new Date(0) },
    // as a store: the list is cut after the ninth node
    slice: async (after: string | undefined) => nodes.filter(({ orderKey }) => orderKey > (after ?? '')).slice(0, 9),
  }
  const snapshots = treeSnapshots(folder)
  await snapshots.write(source as unknown as TreeView, signal)
  const written = await snapshots.latest('north')
  if (written === undefined) throw new Error('no snapshot')
  view = written
})
afterAll(async () => {
  await (view as TreeView & { close?(): Promise<void> }).close?.()
  await rm(folder, { recursive: true, force: true })
})

const reading = (): TreeReading => ({ view, source: 'snapshot' as TreeReading['source'], isPrivate: false })
const access = {
  latest: async (_: string, work: (reading: TreeReading) => unknown) => work(reading()),
  at: async () => reading(),
} as unknown as TreeAccess

it('a snapshot contains every node of a tree whose lists are cut, and cuts its own lists', async () => {
  const first = await view.slice(undefined, 1000, signal)
  expect([idsOf(first), isCut(first)]).toEqual(['n0 n1 n2 n3 n4 n5 n6 n7 n8', true])
  expect(idsOf(await view.slice(first.at(-1)?.orderKey, 1000, signal))).toBe('n9 n10 n11 n12')
  expect(idsOf(await view.children('n0', undefined, 1000, signal))).toBe('n1 n2 n3 n4 n5 n6 n7 n8 n9')
  expect(
    await view.nodes(
      nodes.map(({ id }) => id),
      signal,
    ),
  ).toHaveLength(9)
})

it.each([null, 'n0'])('a page with long texts is shorter and has a next page (subtree %s)', async (id) => {
  const all: string[] = []
  let after: string | null = null
  do {
    const page = await subtreeOf(access, new TreeSizes(), 'north', id, { first: 1000, after }, { loaders: new Map(), signal })
    all.push(...(page?.nodes.map((node) => node.id) ?? []))
    expect(page?.nodes.length).toBeLessThan(12)
    after = page?.pageInfo.hasNextPage === true ? page.pageInfo.endCursor : null
  } while (after !== null)
  expect(all).toEqual(nodes.map((node) => node.id))
})

it('one operation reads a limited number of characters', async () => {
  const reader = { loaders: new Map(), signal }
  const read = () => inReadTurn(reader, () => view.slice(undefined, 1000, signal))
  await read()
  await read()
  await expect(read()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  await expect(inReadTurn({ loaders: new Map(), signal }, () => view.slice(undefined, 1, signal))).resolves.toHaveLength(1)
})

it('nodes that are all needed and too long together are refused', async () => {
  const ids = nodes.map(({ id }) => id)
  await expect(allInReadTurn({ loaders: new Map(), signal }, () => view.nodes(ids, signal))).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
  })
  const some = await allInReadTurn({ loaders: new Map(), signal }, () => view.nodes(ids.slice(0, 3), signal))
  expect(some.map((node) => readNode(node, reading()).id)).toEqual(['n0', 'n1', 'n2'])
})

it('a removed subtree that does not fit into memory is not restored', async () => {
  const chunk = `[${' '.repeat(1024 * 1024)}]`
  const chunks = async function* (count: number): AsyncGenerator<string> {
    for (let sent = 0; sent < count; sent++) yield chunk
  }
  await expect(nodesIn(chunks(3))).resolves.toEqual([])
  await expect(nodesIn(chunks(65))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
})
