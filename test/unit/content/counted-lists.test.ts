import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { treeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import type { TreeNode, TreeView } from '../../../engines/tree-store/tree-store.ts'
import { ancestorsOf, childrenOf, readNode, subtreeOf } from '../../../subgraphs/content/tree/read-tree.ts'
import { type TreeAccess, type TreeReading, TreeSizes } from '../../../subgraphs/content/tree/tree-access.ts'

const signal = new AbortController().signal
const reader = () => ({ loaders: new Map(), signal })
/** r has a (x, y) and b; a node is its id, parent and depth */
const family = [
  ['r', null, 0, 2],
  ['a', 'r', 1, 2],
  ['x', 'a', 2, 0],
  ['y', 'a', 2, 0],
  ['b', 'r', 1, 0],
].map(([id, parentId, depth, childrenCount], index) => ({
  ...{ id, parentId, depth, childrenCount, orderKey: `k${index}`, title: `Node ${id}`, slug: `${id}`, position: index, contentHash: '' },
  ...{ externalId: null, summary: null, body: null, locale: null, media: [], metadata: {} },
  ...{ createdAt: new Date(0), updatedAt: new Date(0) },
})) as unknown as readonly TreeNode[]

let folder: string
let view: TreeView
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'civigraph-counted-'))
  const source = {
    version: { tenant: 'north', number: 1, at: new Date(0) },
    slice: async (after?: string) => family.filter(({ orderKey }) => orderKey > (after ?? '')),
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

it('a subtree is counted with its top, on each page, once for a version', async () => {
  const size = vi.spyOn(view, 'size')
  const sizes = new TreeSizes()
  for (const [id, count] of [
    [null, 5],
    ['r', 5],
    ['a', 3],
    ['b', 1],
    ['y', 1],
  ] as const) {
    const first = await subtreeOf(access, sizes, 'north', id, { first: 1 }, reader())
    expect([id, await first?.count()]).toEqual([id, count])
    const after = first?.pageInfo.endCursor
    if (!first?.pageInfo.hasNextPage) continue
    const next = await subtreeOf(access, sizes, 'north', id, { first: 1, after: String(after) }, reader())
    expect([id, await next?.count()]).toEqual([id, count])
  }
  expect(size).toHaveBeenCalledTimes(5)
  await subtreeOf(access, new TreeSizes(), 'north', null, {}, reader())
  expect(size).toHaveBeenCalledTimes(5)
})

it('the ancestors of the nodes of a page are read once for those that the page does not tell', async () => {
  const ancestors = vi.spyOn(view, 'ancestors')
  const idsAbove = async (max: number, ...names: readonly string[]) =>
    ancestorsOf(
      view,
      names.map((name) => family.find(({ id }) => id === name) as TreeNode),
      max,
      signal,
    )
  expect(await idsAbove(99, 'r', 'a', 'x', 'y', 'b')).toEqual([[], ['r'], ['a', 'r'], ['a', 'r'], ['r']])
  expect(ancestors).not.toHaveBeenCalled()
  expect(await idsAbove(99, 'y', 'b', 'x')).toEqual([['a', 'r'], ['r'], ['a', 'r']])
  expect(await idsAbove(99, 'x', 'a')).toEqual([['a', 'r'], ['r']])
  expect(ancestors).toHaveBeenCalledTimes(3)
  expect(await idsAbove(1, 'x', 'a', 'r')).toEqual([['a'], ['r'], []])
})

it('children are counted in the version that their page shows', async () => {
  const [root] = family
  if (root === undefined) throw new Error('no root')
  const own = readNode(root, reading())
  const { count, pageInfo } = await childrenOf(own, { first: 1 }, async () => reading(), reader())
  expect(await count()).toBe(2)
  // the node was read from a later version in which it has three children
  const later = { ...own, childrenCount: 3, view: { ...view, version: { ...view.version, number: 2 } } }
  const second = await childrenOf(later, { first: 1, after: String(pageInfo.endCursor) }, async () => reading(), reader())
  expect([second.nodes.map(({ id }) => id), await second.count()]).toEqual([['b'], 2])
})
