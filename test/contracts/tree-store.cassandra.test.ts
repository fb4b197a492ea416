import { cassandraTreeStore } from '../../subgraphs/engines/tree-store/cassandra-tree-store.ts'
import { silentLog } from '../../subgraphs/foundation/log.ts'
import { freshKeyspace } from '../support/cassandra.ts'
import { realCassandra, skippedWithout } from '../support/engines.ts'
import { treeStoreContract } from './tree-store.contract.ts'

const cassandra = realCassandra()
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'tree store: Cassandra')
else
  treeStoreContract('Cassandra', async () => {
    const { keyspace, [Symbol.asyncDispose]: drop } = await freshKeyspace(cassandra)
    const schemaFolder = new URL('../../schema/cql', import.meta.url).pathname
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
