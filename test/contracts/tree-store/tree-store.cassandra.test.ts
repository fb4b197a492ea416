import { randomUUID } from 'node:crypto'
import cassandraDriver from 'cassandra-driver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cassandraTreeStore } from '../../../subgraphs/engines/tree-store/cassandra/cassandra-tree-store.ts'
import { keysBetween } from '../../../subgraphs/engines/tree-store/order-keys.ts'
import type { TreeDraft, TreeNode, TreeStore } from '../../../subgraphs/engines/tree-store/tree-store.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
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

  describe('what only Cassandra needs', () => {
    const signal = (): AbortSignal => AbortSignal.timeout(60_000)
    const leaseMs = 1500
    let dead: TreeStore
    let store: TreeStore
    let client: cassandraDriver.Client
    const close: (() => Promise<unknown>)[] = []
    beforeAll(async () => {
      const { keyspace, [Symbol.asyncDispose]: drop } = await freshKeyspace(cassandra)
      close.push(async () => drop())
      const options = { ...cassandra, keyspace, schemaFolder, log: silentLog, leaseMs, size: { most: 500, usual: 200 } }
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

    it('spreads a tree over partitions that stay small, and splits those that have grown', async () => {
      const tenant = `t-${randomUUID()}`
      const nodes = wideTree(1800, 'First')
      await put(
        tenant,
        nodes.filter((_, at) => at % 6 === 0),
      )
      await put(tenant, nodes)
      const rows = async (table: string): Promise<readonly number[]> => {
        const keys = table === 'content_node' ? 'tenant, bucket' : 'tenant, part, bucket'
        const found = await client.execute(`select tenant, count(*) as rows from ${table} group by ${keys}`)
        return found.rows.filter((row) => row.get('tenant') === tenant).map((row) => Number(row.get('rows')))
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

    it('keeps no trace of writes that wrote nothing', async () => {
      const tenant = `t-${randomUUID()}`
      const givenUp = async () =>
        (await client.execute('select aborted from content_tree where tenant = ?', [tenant], { prepare: true })).first()?.get('aborted') ??
        []
      await put(tenant, wideTree(3, 'Only'))
      const refused = new Error('no')
      for (let times = 0; times < 3; times++) {
        await store.write(tenant, async () => undefined, signal())
        await expect(store.write(tenant, async () => Promise.reject(refused), signal())).rejects.toThrow('no')
      }
      expect(await givenUp()).toEqual([])
      const half = async (draft: TreeDraft): Promise<void> => {
        await draft.put(wideTree(2, 'Ghost'), signal())
        throw refused
      }
      await expect(store.write(tenant, half, signal())).rejects.toThrow('no')
      expect(await givenUp()).toHaveLength(1)
      await put(tenant, wideTree(3, 'Next').slice(2))
      expect(await titlesOf(tenant)).toEqual(['3 nodes', 'Only', 'Next'])
    })

    it('purges nothing of a node that stands alone in a partition of its own', async () => {
      const tenant = `t-${randomUUID()}`
      const nodes = wideTree(300, 'First')
      const [root, last] = [nodes[0], nodes.at(-1)]
      if (root === undefined || last === undefined) throw new Error('the tree is empty')
      await put(tenant, nodes)
      // what is left fills the partition with what it was, and is split
      const gone = nodes.slice(1, -1).map(({ orderKey }) => orderKey)
      await store.write(tenant, (draft) => draft.clear(gone, signal()), signal())
      for (const title of ['Second', 'Third']) await store.write(tenant, (draft) => draft.put([{ ...root, title }], signal()), signal())
      expect(await titlesOf(tenant)).toEqual(['2 nodes', 'Third', 'First'])
      await new Promise((resolve) => setTimeout(resolve, 20))
      await store.purge(new Date(), signal())
      expect(await titlesOf(tenant)).toEqual(['2 nodes', 'Third', 'First'])
      expect((await (await store.latest(tenant, signal()))?.nodes([last.id], signal()))?.length).toBe(1)
    })

    it('shows the old tree when a writer dies in the middle, lets the next one write when its turn is over, and what wakes late writes nothing', async () => {
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
