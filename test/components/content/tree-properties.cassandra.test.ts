import { cassandraTreeStore } from '../../../engines/tree-store/cassandra/cassandra-tree-store.ts'
import { silentLog } from '../../../foundation/log.ts'
import { freshKeyspace } from '../../support/engines/cassandra.ts'
import { realCassandra, skippedWithout } from '../../support/engines/engines.ts'
import { treesOn } from './support.ts'
import { treeProperties } from './tree-properties.ts'

const cassandra = realCassandra()
const schemaFolder = new URL('../../../schema/cql', import.meta.url).pathname
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'any tree on Cassandra')
else {
  const open = async () => {
    const { keyspace, [Symbol.asyncDispose]: drop } = await freshKeyspace(cassandra)
    // partitions so small that these trees fill several, and outgrow them
    const store = cassandraTreeStore({ ...cassandra, keyspace, schemaFolder, log: silentLog, size: { max: 60, target: 25 } })
    await store.start(AbortSignal.timeout(60_000))
    const close = async (): Promise<void> => {
      await store.stop()
      await drop()
    }
    return { ...treesOn(store), [Symbol.asyncDispose]: close }
  }
  treeProperties('Cassandra', open, { orders: [5], returns: [14], steps: 40 })
}
