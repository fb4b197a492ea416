import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../engines/relational/database.ts'
import { postgresTreeStore } from '../../../engines/tree-store/postgres/postgres-tree-store.ts'
import type { TreeNode } from '../../../engines/tree-store/tree-store.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { silentLog } from '../../../foundation/log.ts'
import { ImportTree, maxTreeNodes } from '../../../subgraphs/content/import/import-tree.ts'
import { ContentImportMode } from '../../../subgraphs/content/vocabulary.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { randomFrom } from '../../support/samples/random.ts'
import { brokenRules, editing, openTrees, partsOn, randomTree, shape, type Trees, treesOn } from './support.ts'
import { treeProperties } from './tree-properties.ts'

treeProperties('PostgreSQL', openTrees, { orders: [1, 2, 3, 4], returns: [11, 12, 13], steps: 250 })

const request = editing()
const endless = request.deadline
let trees: Trees
beforeAll(async () => {
  trees = await openTrees()
})
afterAll(() => trees?.[Symbol.asyncDispose]())

const titles = async (tenant: string): Promise<string> => (await trees.all(tenant)).map(({ title }) => title).join(' ')

describe('an import', () => {
  it('of more nodes than fit into memory is refused, and so is each later call', async () => {
    const places = JSON.stringify(Array.from({ length: 1000 }, () => ({ slug: 'a', externalId: null, contentHash: '' })))
    const { store } = trees
    async function* outlines() {
      for (let index = 0; index <= maxTreeNodes / 1000; index++) yield { index, outline: places }
    }
    const crowded = new ImportTree(partsOn({ ...store, stage: { ...store.stage, outlines } }))
    const id = await crowded.start(trees.newTenant(), ContentImportMode.UPSERT, false, request)
    const refused = { code: 'BAD_USER_INPUT', details: { entries: [{ code: 'too_many', path: ['nodes'] }] } }
    await expect(crowded.finish(id, false, request)).rejects.toMatchObject(refused)
    await expect(crowded.finish(id, false, request)).rejects.toMatchObject(refused)
  })

  it('moves only the keys that must move when one node goes elsewhere', async () => {
    const tenant = trees.newTenant()
    const rows = [
      { id: 'r', title: 'r' },
      ...Array.from({ length: 50 }, (_, at) => ({ id: `c${at}`, title: `c${at}`, parentId: 'r', position: at })),
    ]
    await trees.bring(tenant, rows)
    const before = new Map((await trees.all(tenant)).map((node) => [node.id, node.orderKey]))
    expect(await trees.bring(tenant, [{ id: 'c3', title: 'c3', parentId: 'r', position: 77 }])).toMatchObject({ received: 1, updated: 1 })
    const nodes = await trees.all(tenant)
    expect(nodes.at(-1)?.id).toBe('c3')
    expect(nodes.filter(({ id, orderKey }) => before.get(id) !== orderKey).map(({ id }) => id)).toEqual(['c3'])
  })

  it('retains the times of nodes, and replaces a time in the future with its own', async () => {
    const tenant = trees.newTenant()
    const [past, ahead] = [new Date('2020-01-02T03:04:05Z'), new Date('9998-01-01T00:00:00Z')]
    await trees.bring(tenant, [
      { id: 'r', title: 'r', createdAt: past, updatedAt: past },
      { id: 'a', title: 'a', parentId: 'r', createdAt: ahead, updatedAt: ahead },
    ])
    const [root, child] = await trees.all(tenant)
    expect([root?.createdAt, root?.updatedAt]).toEqual([past, past])
    for (const at of [child?.createdAt, child?.updatedAt]) {
      expect(at?.getTime()).toBeGreaterThan(past.getTime())
      expect(at?.getTime()).toBeLessThanOrEqual(Date.now())
    }
  })

  it('generates the same ids again for nodes without id, and numbers equal siblings', async () => {
    const tenant = trees.newTenant()
    const rows = [
      { key: '1', title: 'Root' },
      { key: '2', parentKey: '1', title: 'Same', position: 0 },
      { key: '3', parentKey: '1', title: 'Same', position: 1 },
      { key: '4', parentKey: '3', title: 'Below' },
      { parentKey: '1', title: 'Named', externalId: 'x' },
    ]
    expect(await trees.bring(tenant, rows)).toMatchObject({ created: 5 })
    const first = await trees.all(tenant)
    expect(await trees.bring(tenant, rows)).toMatchObject({ created: 0, updated: 0, unchanged: 5 })
    expect(await trees.bring(tenant, rows, 'replace')).toMatchObject({ unchanged: 5, deleted: 0 })
    expect(shape(await trees.all(tenant))).toEqual(shape(first))
    expect(new Set(first.map(({ id }) => id)).size).toBe(5)
    const changed = rows.map((row) => (row.key === '4' ? { ...row, body: 'new' } : row))
    expect(await trees.bring(tenant, changed)).toMatchObject({ created: 0, updated: 1, unchanged: 4 })
  })

  it('adds nodes below existing ones, by id and by external id, and leaves the others unchanged', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, [
      { id: 'r', title: 'r' },
      { id: 'a', title: 'a', parentId: 'r', externalId: 'A' },
    ])
    const more = [
      { title: 'b', externalId: 'B', parentExternalId: 'A' },
      { title: 'c', parentId: 'a' },
      { title: 'A2', externalId: 'A', parentId: 'r' },
    ]
    expect(await trees.bring(tenant, more)).toMatchObject({ created: 2, updated: 1 })
    expect(await titles(tenant)).toBe('r A2 b c')
    expect(await trees.bring(tenant, more)).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    expect(brokenRules(await trees.all(tenant))).toEqual([])
  })

  it('uses the last of equal rows, and children refer to it by id or external id', async () => {
    const tenant = trees.newTenant()
    const summary = await trees.bring(tenant, [
      { id: 'r', title: 'old' },
      { id: 'x1', title: 'first', externalId: 'X', parentId: 'r' },
      { id: 'y', title: 'y', parentId: 'x1' },
      { id: 'x2', title: 'second', externalId: 'X', parentId: 'r' },
      { id: 'r', title: 'new' },
    ])
    expect(summary).toMatchObject({ received: 5, created: 3, duplicatesRemoved: 2 })
    expect(await titles(tenant)).toBe('new second y')
  })

  it('uses the last of thousands of equal rows, and puts the children of the first below it', async () => {
    const tenant = trees.newTenant()
    const count = 2000
    await trees.bring(tenant, [
      { id: 'r', title: 'r' },
      ...Array.from({ length: count }, (_, at) => ({ key: `k${at}`, id: 'x', title: `x${at}`, parentId: 'r' })),
      ...Array.from({ length: count }, (_, at) => ({ id: `c${at}`, title: 'c', parentKey: 'k0' })),
    ])
    const nodes = await trees.all(tenant)
    expect(nodes.filter(({ id }) => id === 'x').map(({ title }) => title)).toEqual([`x${count - 1}`])
    expect(nodes.filter(({ parentId }) => parentId === 'x')).toHaveLength(count)
  })

  it('deletes missing nodes only in replace mode', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, randomTree(50, 3))
    expect(await trees.bring(tenant, [{ id: 'n0', title: 'Title 0' }], 'upsert')).toMatchObject({ deleted: 0 })
    expect((await trees.all(tenant)).length).toBe(50)
    expect(await trees.bring(tenant, [{ id: 'n0', title: 'Title 0' }], 'replace', true)).toMatchObject({ deleted: 49, deletedIds: [] })
    expect((await trees.all(tenant)).length).toBe(50)
    const others = (await trees.all(tenant)).map(({ id }) => id).slice(1)
    expect(await trees.bring(tenant, [{ id: 'n0', title: 'Title 0' }], 'replace')).toMatchObject({ deleted: 49, deletedIds: others })
    expect((await trees.all(tenant)).map(({ id }) => id)).toEqual(['n0'])
  })

  it('lists at most a thousand of the deleted ids, and counts all', async () => {
    const tenant = trees.newTenant()
    const below = Array.from({ length: 1002 }, (_, at) => ({ id: `c${at}`, title: `c${at}`, parentId: 'r' }))
    await trees.bring(tenant, [{ id: 'r', title: 'r' }, ...below])
    const summary = await trees.bring(tenant, [{ id: 'r', title: 'r' }], 'replace')
    expect([summary?.deleted, summary?.deletedIds]).toEqual([1002, below.slice(0, 1000).map(({ id }) => id)])
  })

  const refused: readonly (readonly [what: string, rows: Parameters<Trees['bring']>[1], code: string, named: RegExp])[] = [
    [
      'an unknown parent',
      [
        { id: 'r', title: 'r' },
        { id: 'a', title: 'a', parentId: 'nowhere' },
      ],
      'tree_orphan',
      /node a .*nowhere/,
    ],
    [
      'a second root',
      [
        { id: 'r', title: 'r' },
        { id: 's', title: 's' },
      ],
      'tree_second_root',
      /node s /,
    ],
    [
      'a cycle',
      [
        { id: 'r', title: 'r' },
        { id: 'a', title: 'a', parentId: 'b' },
        { id: 'b', title: 'b', parentId: 'a' },
      ],
      'tree_cycle',
      /node (a|b) /,
    ],
    [
      'a node above itself',
      [
        { id: 'r', title: 'r' },
        { id: 'a', title: 'a', parentId: 'a' },
      ],
      'tree_cycle',
      /node a /,
    ],
    [
      'nothing but a cycle',
      [
        { id: 'a', title: 'a', parentId: 'b' },
        { id: 'b', title: 'b', parentId: 'a' },
      ],
      'tree_cycle',
      /node (a|b) /,
    ],
  ]
  it.each(refused)('refuses %s, names the node, and writes nothing', async (_, rows, code, named) => {
    const tenant = trees.newTenant()
    const failing = trees.bring(tenant, rows)
    await expect(failing).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { entries: expect.arrayContaining([expect.objectContaining({ code })]) },
    })
    const entries = await failing.catch((error: { details: { entries: { message: string }[] } }) =>
      error.details.entries.map(({ message }) => message).join('\n'),
    )
    expect(entries).toMatch(named)
    expect(await trees.all(tenant)).toEqual([])
  })

  it('returns the reason of a refusal again on a later request', async () => {
    const tenant = trees.newTenant()
    let letIn = (): void => undefined
    const turn = new Promise<void>((resolve) => {
      letIn = resolve
    })
    const write: typeof trees.store.write = async (...args) => turn.then(() => trees.store.write(...args))
    const imports = new ImportTree(partsOn({ ...trees.store, write }))
    const id = await imports.start(tenant, 'upsert', false, request)
    await imports.append(id, 0, [{ title: 'a', parentId: 'nowhere' }], endless)
    const cancellation = new AbortController()
    const finishing = imports.finish(id, false, {
      ...request,
      deadline: new Deadline({ timeoutMs: 60_000, disconnected: cancellation.signal }),
    })
    await sleep(200)
    cancellation.abort()
    expect(await finishing).toBeUndefined()
    letIn()
    await sleep(200)
    for (const process of [imports, new ImportTree(partsOn(trees.store))])
      await expect(process.finish(id, false, request)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { entries: [{ code: 'tree_orphan', path: ['nodes'], message: expect.stringContaining('nowhere') }] },
      })
    await expect(imports.append(id, 1, [{ title: 'b' }], endless)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('stages nothing after the deadline of its caller, and completes a write that began in time', async () => {
    const imports = new ImportTree(partsOn(trees.store))
    const id = await imports.start(trees.newTenant(), 'upsert', false, request)
    const over = new Deadline({ timeoutMs: 0 })
    await expect(imports.append(id, 0, [{ title: 'late' }], over)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    const inTime = new Deadline({ timeoutMs: 60_000 })
    await imports.append(id, 1, [{ title: 'in time' }], inTime)
    expect([over.mayHaveTakenEffect, inTime.mayHaveTakenEffect]).toEqual([false, true])
    expect(await imports.finish(id, false, request)).toMatchObject({ received: 1, created: 1 })
    inTime[Symbol.dispose]()
  })

  it('is not found by an unknown id', async () => {
    const imports = new ImportTree(partsOn(trees.store))
    for (const id of ['', '\u0000', '\ud800', "'", 'x'.repeat(100_000), '00000000-0000-0000-0000-000000000000']) {
      await expect(imports.finish(id, false, request)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(imports.append(id, 0, [{ title: 'a' }], endless)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  it('refuses a second root, and an external id of another node', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, [
      { id: 'r', title: 'r' },
      { id: 'a', title: 'a', externalId: 'A', parentId: 'r' },
    ])
    await expect(trees.bring(tenant, [{ id: 'q', title: 'q' }])).rejects.toMatchObject({
      details: { entries: [{ code: 'tree_second_root' }, { code: 'tree_second_root' }] },
    })
    await expect(trees.bring(tenant, [{ id: 'b', title: 'b', externalId: 'A', parentId: 'r' }])).rejects.toMatchObject({
      details: { entries: [{ code: 'external_id_taken' }] },
    })
    expect(await titles(tenant)).toBe('r a')
  })

  it('accepts a chain of 10,000 nodes with random positions, and one in reverse order', async () => {
    const tenant = trees.newTenant()
    const next = randomFrom(5)
    const rows = Array.from({ length: 10_000 }, (_, at) => ({
      id: `n${at}`,
      title: `n${at}`,
      position: Math.floor(next() * 2e9) - 1e9,
      ...(at === 0 ? {} : { parentId: `n${at - 1}` }),
    }))
    expect(await trees.bring(tenant, rows.reverse())).toMatchObject({ created: 10_000 })
    const nodes = await trees.all(tenant)
    expect(brokenRules(nodes)).toEqual([])
    expect(nodes.at(-1)).toMatchObject({ id: 'n9999', depth: 9999 })
    expect(Math.max(...nodes.map(({ orderKey }) => orderKey.length))).toBeLessThan(10)
  }, 120_000)

  it('completes beside nine others with few connections', async () => {
    const { url, [Symbol.asyncDispose]: dispose } = await openMigrated(embeddedEngine)
    for (const poolSize of [4, 2]) {
      const database = openDatabase({ name: 'small', url: () => url, poolSize, log: silentLog })
      const small = treesOn(postgresTreeStore(database))
      const importing = Array.from({ length: 10 }, (_, at) => small.bring(small.newTenant(), randomTree(200, at)))
      for (const summary of await Promise.all(importing)) expect(summary).toMatchObject({ created: 200 })
      await database.stop()
    }
    await dispose()
  })

  it('leaves readers at their version while it runs', async () => {
    const tenant = trees.newTenant()
    await trees.bring(tenant, randomTree(2000, 21))
    const signal = AbortSignal.timeout(120_000)
    const view = await trees.store.latest(tenant, signal)
    if (view === undefined) throw new Error('there is no tree')
    const importing = trees.bring(tenant, randomTree(2000, 22), 'replace')
    const nodes: TreeNode[] = []
    for (let page = await view.slice(undefined, 50, signal); page.length > 0; page = await view.slice(nodes.at(-1)?.orderKey, 50, signal))
      nodes.push(...page)
    await importing
    expect(brokenRules(nodes)).toEqual([])
    expect(nodes.length).toBe(2000)
    const positions = new Map(randomTree(2000, 21).map(({ id, position }) => [id, position]))
    expect(nodes.filter(({ id, position }) => positions.get(id) !== position)).toEqual([])
  }, 120_000)
})

describe('changes of single nodes', () => {
  it('redistribute order keys when thousands of nodes are inserted into one gap', async () => {
    const tenant = trees.newTenant()
    const content = (title: string) => ({
      externalId: null,
      title,
      slug: title,
      summary: null,
      body: null,
      locale: null,
      media: [],
      metadata: {},
    })
    await trees.edit.create(tenant, { id: 'r', parentId: undefined, position: undefined, content: content('r') }, editing())
    // each before the previous one: the worst case for ascending keys
    for (let at = 0; at < 300; at++)
      await trees.edit.create(tenant, { id: `n${at}`, parentId: 'r', position: -at, content: content(`n${at}`) }, editing())
    const nodes = await trees.all(tenant)
    expect(brokenRules(nodes)).toEqual([])
    expect(Math.max(...nodes.map(({ orderKey }) => orderKey.length))).toBeLessThanOrEqual(128)
    expect(nodes.length).toBe(301)
  }, 120_000)

  it('accept one of two roots that are created at once', async () => {
    const tenant = trees.newTenant()
    const content = { externalId: null, title: 'r', slug: 'r', summary: null, body: null, locale: null, media: [], metadata: {} }
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((id) => trees.edit.create(tenant, { id, parentId: undefined, position: undefined, content }, editing())),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))).toEqual(['CONFLICT', 'CONFLICT'])
    expect((await trees.all(tenant)).length).toBe(1)
  })
})
