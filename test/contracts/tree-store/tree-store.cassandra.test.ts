import { randomUUID } from 'node:crypto'
import cassandraDriver from 'cassandra-driver'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { keysBetween } from '../../../engines/tree-store/order-keys.ts'
import type { TreeDraft, TreeNode, TreeStore } from '../../../engines/tree-store/tree-store.ts'
import { silentLog } from '../../../foundation/log.ts'
import { freshKeyspace } from '../../support/engines/cassandra.ts'
import { realCassandra, skippedWithout } from '../../support/engines/engines.ts'
import { treeNode, treeStoreContract } from './tree-store.contract.ts'

const cassandra = realCassandra()
const schemaFolder = new URL('../../../schema/cql', import.meta.url).pathname
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'tree store: Cassandra')
else {
  treeStoreContract('Cassandra', async () => {
    const { keyspace, [Symbol.asyncDispose]: drop } = await freshKeyspace(cassandra)
    const open = () => cassandraTreeStore({ ...cassandra, keyspace, schemaFolder, log: silentLog })
    const [store, other] = [open(), open()]
    await store.start(AbortSignal.timeout(60_000))
    await other.start(AbortSignal.timeout(60_000))
    return {
      store,
      other,
      close: async () => {
        await Promise.all([store.stop(), other.stop()])
        await drop()
      },
    }
  })

  describe('tree store: Cassandra only', () => {
    const signal = (): AbortSignal => AbortSignal.timeout(60_000)
    const leaseMs = 1500
    let dead: TreeStore
    let store: TreeStore
    let client: cassandraDriver.Client
    let keyspace: string
    const close: (() => Promise<unknown>)[] = []
    beforeAll(async () => {
      const fresh = await freshKeyspace(cassandra)
      keyspace = fresh.keyspace
      close.push(async () => fresh[Symbol.asyncDispose]())
      const options = { ...cassandra, keyspace, schemaFolder, log: silentLog, leaseMs, size: { max: 500, target: 200 } }
      dead = cassandraTreeStore(options)
      store = cassandraTreeStore(options)
      for (const each of [dead, store]) {
        await each.start(signal())
        close.push(() => each.stop())
      }
      client = new cassandraDriver.Client({ ...cassandra, contactPoints: [...cassandra.contactPoints], keyspace })
      close.push(() => client.shutdown())
    }, 120_000)
    afterAll(async () => {
      vi.useRealTimers()
      for (const each of close.reverse()) await each()
    })
    const wideTree = (size: number, title: string): readonly TreeNode[] =>
      keysBetween(undefined, undefined, size).map((orderKey, at) =>
        treeNode({ id: `n${at}`, orderKey, title, depth: Math.min(at, 1), parentId: at === 0 ? null : 'n0', position: at }),
      )
    const put = (tenant: string, nodes: readonly TreeNode[]) =>
      store.write(
        tenant,
        async (draft) => {
          const keys = nodes.map(({ orderKey }) => orderKey)
          await draft.plan(keys, signal())
          await draft.put(nodes, signal())
        },
        signal(),
      )
    const titlesOf = async (tenant: string): Promise<readonly string[]> => {
      const nodes = (await (await store.latest(tenant, signal()))?.slice(undefined, 5000, signal())) ?? []
      return [`${nodes.length} nodes`, ...new Set(nodes.map(({ title }) => title))]
    }

    /** Returns what Cassandra has counted for the versioned tables: reads, and the rows of the largest read. */
    const readings = async () => {
      const query = 'select * from system_views.rows_per_read where keyspace_name = ?'
      const rows = (await client.execute(query, [keyspace], { prepare: true })).rows
      const versioned = rows.filter((row) => ['content_node', 'content_child', 'content_name'].includes(row.get('table_name')))
      return {
        reads: versioned.reduce((sum, row) => sum + Number(row.get('count')), 0),
        rows: Math.max(...versioned.map((row) => Number(row.get('max')))),
      }
    }
    /** Returns the trace line of Cassandra for a read of all nodes of a small tree. */
    const passed = async (tenant: string): Promise<string> => {
      const query = 'select * from content_node where tenant = ? and bucket = 0'
      const { info } = await client.execute(query, [tenant], { prepare: true, traceQuery: true })
      const trace = await client.metadata.getTrace(info.traceId, cassandraDriver.types.consistencies.one)
      return trace.events.map(({ activity }) => activity ?? '').find((text) => /^Read \d+ live rows/.test(text)) ?? ''
    }

    // this test runs first, because Cassandra counts the largest of all earlier reads
    it('reads as few rows of a root and its children after two hundred edits as after one, also during a purge', {
      timeout: 180_000,
    }, async () => {
      const tenant = `t-${randomUUID()}`
      const nodes = wideTree(4, 'First')
      await put(tenant, nodes)
      const [root, child] = nodes
      if (root === undefined || child === undefined) throw new Error('the tree is empty')
      const edit = (title: string) =>
        store.write(
          tenant,
          (draft) =>
            draft.put(
              [
                { ...root, title },
                { ...child, title },
              ],
              signal(),
            ),
          signal(),
        )
      const read = async () => {
        const before = (await readings()).reads
        const view = await store.latest(tenant, signal())
        const nodes = [
          ...((await view?.slice(undefined, 1, signal())) ?? []),
          ...((await view?.nodes(['n0'], signal())) ?? []),
          ...((await view?.children('n0', undefined, 10, signal())) ?? []),
        ]
        return { titles: nodes.map(({ title }) => title), reads: (await readings()).reads - before }
      }
      await edit('Edit 0')
      const first = await read()
      for (let n = 1; n <= 200; n++) await edit(`Edit ${n}`)
      const title = 'Edit 200'
      const last = await read()
      expect(last.titles).toEqual([title, title, title, 'First', 'First'])
      // the page that reaches the versions of the child ends with it
      expect(last.reads).toBeLessThanOrEqual(first.reads + 2)
      expect((await readings()).rows).toBeLessThanOrEqual(nodes.length)
      for (let round = 0; round < 3; round++) {
        await edit(title)
        await store.purge(new Date(), signal())
      }
      expect((await read()).titles).toEqual(last.titles)
      expect(await passed(tenant)).toMatch(/^Read 4 live rows and \d tombstone cells/)
    })

    it.each([300, 1800])('purges a tree of %i nodes by reading only changed ones', async (size) => {
      const tenant = `t-${randomUUID()}`
      const nodes = wideTree(size, 'First')
      const [root, child, , removed] = nodes
      if (root === undefined || child === undefined || removed === undefined) throw new Error('the tree is empty')
      await put(tenant, nodes)
      const edit = (title: string) =>
        store.write(
          tenant,
          (draft) =>
            draft.put(
              [root, child].map((node) => ({ ...node, title })),
              signal(),
            ),
          signal(),
        )
      const purge = async (): Promise<number> => {
        const before = (await readings()).reads
        await store.purge(new Date(Date.now() + 60_000), signal())
        return (await readings()).reads - before
      }
      await purge()
      for (const title of ['Second', 'Third', 'Fourth']) await edit(title)
      await store.write(tenant, (draft) => draft.clear([removed.orderKey], signal()), signal())
      // nodes, a removed child, and its name
      expect(await purge()).toBeLessThanOrEqual(6)
      expect(await titlesOf(tenant)).toEqual([`${size - 1} nodes`, 'Fourth', 'First'])
      const rowsOf = async (orderKey: string): Promise<number> =>
        (
          await client.execute('select tenant, version from content_node where order_key = ? allow filtering', [orderKey], {
            prepare: true,
          })
        ).rows.filter((row) => row.get('tenant') === tenant).length
      expect([await rowsOf(root.orderKey), await rowsOf(child.orderKey), await rowsOf(removed.orderKey)]).toEqual([1, 1, 0])
      const recorded = await client.execute('select version from content_change where tenant = ? allow filtering', [tenant], {
        prepare: true,
      })
      expect(recorded.rowLength).toBe(0)
      expect(await purge()).toBe(0)
    })

    it('purges also rows of an older release, which recorded no changes', async () => {
      const tenant = `t-${randomUUID()}`
      const nodes = wideTree(3, 'First')
      await put(tenant, nodes)
      for (const title of ['Second', 'Third'])
        await store.write(
          tenant,
          (draft) =>
            draft.put(
              nodes.map((node) => ({ ...node, title })),
              signal(),
            ),
          signal(),
        )
      for (const version of [2, 3])
        await client.execute('delete from content_change where tenant = ? and version = ?', [tenant, version], { prepare: true })
      await store.purge(new Date(Date.now() + 60_000), signal())
      expect(await titlesOf(tenant)).toEqual(['3 nodes', 'Third'])
      expect(await passed(tenant)).toMatch(/^Read 3 live rows/)
    })

    it('distributes a tree over small partitions, and splits grown ones', async () => {
      const tenant = `t-${randomUUID()}`
      const nodes = wideTree(1800, 'First')
      await put(
        tenant,
        nodes.filter((_, at) => at % 6 === 0),
      )
      await put(tenant, nodes)
      const rows = async (table: string): Promise<readonly number[]> => {
        const keys = table === 'content_node' ? 'tenant, bucket' : 'tenant, part, bucket'
        const counts = await client.execute(`select tenant, count(*) as rows from ${table} group by ${keys}`)
        return counts.rows.filter((row) => row.get('tenant') === tenant).map((row) => Number(row.get('rows')))
      }
      for (const table of ['content_node', 'content_child']) {
        const each = await rows(table)
        expect([table, each.length]).toEqual([table, expect.toSatisfy((count: number) => count >= 4)])
        expect(Math.max(...each)).toBeLessThan(1000)
      }
      const view = await store.latest(tenant, signal())
      expect((await view?.slice(undefined, 5000, signal()))?.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id))
      expect((await view?.children('n0', nodes[900]?.orderKey, 2, signal()))?.map(({ id }) => id)).toEqual(['n901', 'n902'])
    })

    it('keeps no trace of empty writes', async () => {
      const tenant = `t-${randomUUID()}`
      const abandoned = async () =>
        (await client.execute('select aborted from content_tree where tenant = ?', [tenant], { prepare: true })).first()?.get('aborted') ??
        []
      await put(tenant, wideTree(3, 'Only'))
      const refused = new Error('no')
      for (let times = 0; times < 3; times++) {
        await store.write(tenant, async () => undefined, signal())
        await expect(store.write(tenant, async () => Promise.reject(refused), signal())).rejects.toThrow('no')
      }
      expect(await abandoned()).toEqual([])
      const half = async (draft: TreeDraft): Promise<void> => {
        await draft.put(wideTree(2, 'Ghost'), signal())
        throw refused
      }
      await expect(store.write(tenant, half, signal())).rejects.toThrow('no')
      expect(await abandoned()).toHaveLength(1)
      await put(tenant, wideTree(3, 'Next').slice(2))
      expect(await titlesOf(tenant)).toEqual(['3 nodes', 'Only', 'Next'])
      await store.purge(new Date(Date.now() + 1000), signal())
      expect(await abandoned()).toEqual([])
      expect(await titlesOf(tenant)).toEqual(['3 nodes', 'Only', 'Next'])
    })

    it('keeps turns despite clock differences: a writer one minute ahead takes none early and holds none longer', async () => {
      const tenant = `t-${randomUUID()}`
      await put(tenant, wideTree(3, 'Old'))
      const isWriting = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      const slow = dead.write(
        tenant,
        async (draft) => {
          isWriting.resolve()
          await goOn.promise
          await draft.put(wideTree(3, 'Slow').slice(0, 1), signal())
        },
        signal(),
      )
      await isWriting.promise
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
      const ahead = put(tenant, wideTree(3, 'Ahead').slice(1, 2))
      goOn.resolve()
      await Promise.all([slow, ahead])
      expect(await titlesOf(tenant)).toEqual(['3 nodes', 'Slow', 'Ahead', 'Old'])
      // it dies with its clock ahead, and the next writer, whose clock is right, does not wait a minute for it
      const dying = Promise.withResolvers<void>()
      const hanging = async (): Promise<void> => {
        dying.resolve()
        await new Promise(() => undefined)
      }
      const hangs = dead.write(tenant, hanging, signal())
      hangs.catch(() => undefined)
      await dying.promise
      vi.useRealTimers()
      await put(tenant, wideTree(3, 'Right').slice(2))
      expect(await titlesOf(tenant)).toEqual(['3 nodes', 'Slow', 'Ahead', 'Right'])
    })

    it('keeps the last staged chunk, also over one from a process whose clock is a minute ahead', async () => {
      const importId = randomUUID()
      const chunk = (text: string) => ({ outline: `outline of ${text}`, content: `content of ${text}` })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
      await dead.stage.begin(importId, 'begun', signal())
      await dead.stage.append(importId, 0, chunk('the one ahead'), signal())
      vi.useRealTimers()
      await store.stage.append(importId, 0, chunk('the other'), signal())
      await store.stage.note(importId, 'finished', signal())
      expect(await store.stage.find(importId, signal())).toBe('finished')
      expect(await store.stage.content(importId, 0, signal())).toBe('content of the other')
      await store.stage.empty(importId, signal())
      expect(await dead.stage.content(importId, 0, signal())).toBeUndefined()
    })

    it('purges nothing of a node that is alone in its partition', async () => {
      const tenant = `t-${randomUUID()}`
      const nodes = wideTree(300, 'First')
      const [root, last] = [nodes[0], nodes.at(-1)]
      if (root === undefined || last === undefined) throw new Error('the tree is empty')
      await put(tenant, nodes)
      // the remaining nodes fill the partition with old versions, and it is split
      const removed = nodes.slice(1, -1).map(({ orderKey }) => orderKey)
      await store.write(tenant, (draft) => draft.clear(removed, signal()), signal())
      for (const title of ['Second', 'Third']) await store.write(tenant, (draft) => draft.put([{ ...root, title }], signal()), signal())
      expect(await titlesOf(tenant)).toEqual(['2 nodes', 'Third', 'First'])
      await new Promise((resolve) => setTimeout(resolve, 20))
      await store.purge(new Date(), signal())
      expect(await titlesOf(tenant)).toEqual(['2 nodes', 'Third', 'First'])
      expect((await (await store.latest(tenant, signal()))?.nodes([last.id], signal()))?.length).toBe(1)
    })

    it('serves the old tree when a writer dies midway, admits the next writer after the turn expires, and a late writer writes nothing', async () => {
      const tenant = `t-${randomUUID()}`
      await put(tenant, wideTree(300, 'Old'))
      const halfway = Promise.withResolvers<void>()
      const wake = Promise.withResolvers<void>()
      const dying = dead.write(
        tenant,
        async (draft) => {
          await draft.put(wideTree(300, 'Ghost').slice(0, 150), signal())
          halfway.resolve()
          await wake.promise
        },
        signal(),
      )
      dying.catch(() => undefined)
      await halfway.promise
      expect(await titlesOf(tenant)).toEqual(['300 nodes', 'Old'])
      const from = Date.now()
      await put(tenant, wideTree(300, 'New').slice(0, 100))
      expect(Date.now() - from).toBeGreaterThan(leaseMs / 3)
      expect(await titlesOf(tenant)).toEqual(['300 nodes', 'New', 'Old'])
      wake.resolve()
      await expect(dying).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
      expect(await titlesOf(tenant)).toEqual(['300 nodes', 'New', 'Old'])
    })
  })
}
