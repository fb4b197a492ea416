import { afterAll, beforeAll, expect, it } from 'vitest'
import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { keysBetween } from '../../../engines/tree-store/order-keys.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { freshKeyspace } from '../../support/engines/cassandra.ts'
import { realCassandra, skippedWithout } from '../../support/engines/engines.ts'
import { treeNode } from './tree-store.contract.ts'

const server = realCassandra()
const schemaFolder = new URL('../../../schema/cql', import.meta.url).pathname
const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const [orderKey = ''] = keysBetween(undefined, undefined, 1)
const root = treeNode({ id: 'root', orderKey, title: 'Kept', depth: 0, parentId: null, position: 0 })

if (server === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'consistency of Cassandra')
else {
  const open = new AsyncDisposableStack()
  let fresh: Awaited<ReturnType<typeof freshKeyspace>>
  beforeAll(async () => {
    fresh = open.use(await freshKeyspace(server))
  })
  afterAll(() => open.disposeAsync())

  it.each([
    ['local_quorum', 'LOCAL_QUORUM', 'LOCAL_SERIAL'],
    ['quorum', 'QUORUM', 'SERIAL'],
  ] as const)(
    '%s: trees are stored, and reads and writes are refused while too few replicas are available',
    async (consistency, level, serial) => {
      const store = cassandraTreeStore({ ...server, keyspace: fresh.keyspace, schemaFolder, consistency, log })
      open.defer(() => store.stop())
      await store.start(signal())
      const tenant = consistency
      const write = (title: string) =>
        store.write(tenant, async (draft) => void (await draft.put([{ ...root, title }], signal())), signal())
      const titles = async () => (await (await store.latest(tenant, signal()))?.nodes(['root'], signal()))?.map(({ title }) => title)
      await store.write(
        tenant,
        async (draft) => {
          await draft.plan([orderKey], signal())
          await draft.put([root], signal())
        },
        signal(),
      )
      await write('Changed')
      expect(await titles()).toEqual(['Changed'])
      // more replicas than the single node has
      await fresh.replicate(3)
      await expect.poll(() => titles().catch(reasonOf)).toMatch(new RegExp(`consistency ${level} `))
      await expect(write('Lost').catch(reasonOf)).resolves.toMatch(new RegExp(`\\b(${level}|${serial})\\b`))
      await fresh.replicate(1)
      await expect.poll(() => titles().catch(reasonOf)).toEqual(['Changed'])
    },
  )

  it('an unknown data centre fails the start with a message that names the setting', async () => {
    const store = cassandraTreeStore({ ...server, localDataCenter: 'nowhere', keyspace: fresh.keyspace, schemaFolder, log })
    open.defer(() => store.stop())
    await expect(store.start(signal())).rejects.toThrow(/^Cassandra cannot be used: .*'nowhere'.* \(CASSANDRA_LOCAL_DATACENTER\)$/)
  })
}

function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error ? cause.message : message
}
