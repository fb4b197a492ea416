import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../engines/relational/database.ts'
import { postgresTreeStore } from '../../../engines/tree-store/postgres/postgres-tree-store.ts'
import { treeSnapshots } from '../../../engines/tree-store/tree-snapshot.ts'
import type { TreeNode, TreeView } from '../../../engines/tree-store/tree-store.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { silentLog } from '../../../foundation/log.ts'
import { snapshotUpkeep } from '../../../subgraphs/content/tree/snapshot-upkeep.ts'
import { guarded, storeCircuit } from '../../../subgraphs/content/tree/store-circuit.ts'
import { TreeAccess } from '../../../subgraphs/content/tree/tree-access.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'
import { type Gate, openGate } from '../../support/processes/gate.ts'
import { editing, randomTree, treesOn } from './support.ts'

const signal = AbortSignal.timeout(300_000)
const everything = async (view: TreeView): Promise<readonly TreeNode[]> => {
  const all: TreeNode[] = []
  for (;;) {
    const page = await view.slice(all.at(-1)?.orderKey, 70, signal)
    all.push(...page)
    if (page.length < 70) return all
  }
}

describe('while the store is unavailable', () => {
  const open: (() => Promise<unknown>)[] = []
  let gate: Gate
  let folder: string
  let access: TreeAccess
  let trees: ReturnType<typeof treesOn>
  let circuit: ReturnType<typeof storeCircuit>
  const tenant = 'magazine'
  const read = () =>
    access.latest(
      tenant,
      async (reading) => ({ source: reading?.source, nodes: (await reading?.view.slice(undefined, 10, signal))?.length }),
      signal,
    )

  beforeAll(async () => {
    const migrated = await openMigrated(embeddedEngine)
    open.push(async () => migrated[Symbol.asyncDispose]())
    gate = await openGate(migrated.url)
    open.push(async () => gate[Symbol.asyncDispose]())
    folder = await mkdtemp(join(tmpdir(), 'civigraph-snapshot-'))
    open.push(() => rm(folder, { recursive: true, force: true }))
    const database = openDatabase({ name: 'gated', url: () => gate.url, poolSize: 5, log: silentLog })
    open.push(async () => {
      gate.open()
      await database.stop()
    })
    const store = postgresTreeStore(database)
    const snapshots = treeSnapshots(folder)
    circuit = storeCircuit(systemClock)
    access = new TreeAccess(store, snapshots, circuit)
    trees = treesOn(store)
    await trees.bring(tenant, randomTree(300, 1))
    const keeper = snapshotUpkeep({ store, snapshots, log: silentLog })
    await keeper.start(signal)
    open.push(() => keeper.stop())
    for (let tries = 0; tries < 200 && (await snapshots.latest(tenant)) === undefined; tries++) await sleep(50)
  }, 120_000)
  afterAll(async () => {
    for (const close of open.reverse()) await close()
  })

  it('the snapshot equals the store for every kind of read', async () => {
    const view = await treeSnapshots(folder).latest(tenant)
    if (view === undefined) throw new Error('there is no snapshot')
    const nodes = await trees.all(tenant)
    expect(await everything(view)).toEqual(nodes)
    const store = await trees.store.latest(tenant, signal)
    for (const { id, parentId } of nodes.slice(0, 60)) {
      expect(await view.children(id, undefined, 1000, signal)).toEqual(await store?.children(id, undefined, 1000, signal))
      expect(await view.ancestors({ parentId }, 100, signal)).toEqual(await store?.ancestors({ parentId }, 100, signal))
    }
    const depth = Math.max(...nodes.map((node) => node.depth))
    expect([await view.size(signal), await store?.size(signal)]).toEqual([1, 2].map(() => ({ nodes: nodes.length, depth })))
    expect((await view.nodes(['n7', 'none'], signal)).map(({ id }) => id)).toEqual(['n7'])
    const [first] = await view.children('n0', undefined, 1, signal)
    expect((await view.children('n0', first?.orderKey, 2, signal)).length).toBeGreaterThan(0)
  })

  it.each(['freeze', 'cut'] as const)(
    'reads continue after a %s, name their source, and return to the store automatically',
    async (how) => {
      expect(await read()).toEqual({ source: 'store', nodes: 10 })
      gate[how]()
      expect(await read()).toEqual({ source: 'snapshot', nodes: 10 })
      for (let n = 0; n < 3; n++) await read()
      expect((await read()).source).toBe('snapshot')
      // the store is not called, so nothing waits
      expect(circuit.isOpen).toBe(true)
      expect(() => circuit.check()).toThrow('not available')
      gate.open()
      for (const until = Date.now() + 60_000; (await read()).source !== 'store'; await sleep(50)) expect(Date.now()).toBeLessThan(until)
      expect(circuit.isOpen).toBe(false)
    },
    120_000,
  )

  it('writes alone detect that the store has recovered, and reads return to it', async () => {
    gate.cut()
    for (let n = 0; n < 3; n++) expect(await read()).toMatchObject({ source: 'snapshot' })
    const { trash } = treesOn(guarded(trees.store, circuit))
    const write = () => trash.remove(tenant, 'missing', editing()).catch(({ code }) => code)
    expect(await write()).toBe('ENGINE_UNAVAILABLE')
    gate.open()
    for (const until = Date.now() + 60_000; (await write()) !== 'NOT_FOUND'; await sleep(50)) expect(Date.now()).toBeLessThan(until)
    expect(await Promise.all([write(), write()])).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    expect(await read()).toMatchObject({ source: 'store' })
  }, 120_000)

  it('a started reading continues in the snapshot of the same version', async () => {
    const states: string[] = []
    await access.latest(
      tenant,
      async (reading) => {
        if (reading === undefined) throw new Error('there is no tree')
        const half = await reading.view.slice(undefined, 150, signal)
        gate.cut()
        states.push(...[...half, ...(await reading.view.slice(half.at(-1)?.orderKey, 1000, signal))].map(({ id }) => id))
      },
      signal,
    )
    gate.open()
    await sleep(1100)
    expect(states).toEqual((await trees.all(tenant)).map(({ id }) => id))
  }, 120_000)

  it('the snapshot follows the store', async () => {
    await trees.bring(tenant, [{ id: 'n5', title: 'Changed', parentId: 'n0' }])
    const snapshots = treeSnapshots(folder)
    for (const until = Date.now() + 60_000; ; await sleep(100)) {
      const [node] = (await (await snapshots.latest(tenant))?.nodes(['n5'], signal)) ?? []
      if (node?.title === 'Changed') break
      expect(Date.now()).toBeLessThan(until)
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.ndjson')).length).toBe(1)
  }, 120_000)

  it('a snapshot is opened once for concurrent readers, and stays open for them when the next one replaces it', async () => {
    const view = await trees.store.latest(tenant, signal)
    const other = await mkdtemp(join(tmpdir(), 'civigraph-snapshot-'))
    open.push(() => rm(other, { recursive: true, force: true }))
    if (view === undefined) throw new Error('there is no tree')
    const snapshots = treeSnapshots(other)
    await snapshots.write(view, signal)
    const all = await Promise.all(Array.from({ length: 20 }, () => snapshots.latest(tenant)))
    expect(new Set(all).size).toBe(1)
    await trees.bring(tenant, [{ id: 'n6', title: 'Changed, too', parentId: 'n0' }])
    const next = await trees.store.latest(tenant, signal)
    if (next === undefined) throw new Error('there is no tree')
    await snapshots.write(next, signal)
    expect((await snapshots.latest(tenant))?.version).toEqual(next.version)
    expect((await all[0]?.nodes(['n6'], signal))?.map(({ title }) => title)).toEqual(['Title 6'])
  })

  it('snapshots of a folder that processes share are written by all of them at the same time', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'civigraph-snapshot-'))
    open.push(() => rm(shared, { recursive: true, force: true }))
    const earlier = await trees.store.latest(tenant, signal)
    await trees.bring(tenant, [{ id: 'n7', title: 'Changed, again', parentId: 'n0' }])
    const view = await trees.store.latest(tenant, signal)
    if (earlier === undefined || view === undefined) throw new Error('there is no tree')
    const writers = Array.from({ length: 8 }, (_, n) => ({ snapshots: treeSnapshots(shared), view: n % 2 === 0 ? view : earlier }))
    await Promise.all(writers.map((writer) => writer.snapshots.write(writer.view, signal)))
    for (const { snapshots } of writers) {
      const latest = await snapshots.latest(tenant)
      expect(latest?.version).toEqual(view.version)
      expect(await latest?.nodes(['n7'], signal)).toMatchObject([{ title: 'Changed, again' }])
    }
    // a store that was restored from a backup
    await treeSnapshots(shared).write(earlier, signal)
    expect((await treeSnapshots(shared).latest(tenant))?.version).toEqual(earlier.version)
    await treeSnapshots(shared).write(view, signal)
    expect((await readdir(shared)).filter((name) => name.startsWith(`${tenant}.${earlier.version.number}.`))).toEqual([])
  })

  it('a damaged snapshot is not read', async () => {
    const view = await trees.store.latest(tenant, signal)
    if (view === undefined) throw new Error('there is no tree')
    const other = await mkdtemp(join(tmpdir(), 'civigraph-snapshot-'))
    open.push(() => rm(other, { recursive: true, force: true }))
    const snapshots = treeSnapshots(other)
    await snapshots.write(view, signal)
    const [lines] = (await readdir(other)).filter((name) => name.endsWith('.ndjson'))
    await truncate(join(other, lines ?? ''), 1000)
    expect(await treeSnapshots(other).latest(tenant)).toBeUndefined()
    await snapshots.write(view, signal)
    expect((await treeSnapshots(other).latest(tenant))?.version).toEqual(view.version)
  })
})
