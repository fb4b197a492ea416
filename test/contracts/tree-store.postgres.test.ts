import { openDatabase } from '../../subgraphs/engines/relational/database.ts'
import { postgresTreeStore } from '../../subgraphs/engines/tree-store/postgres-tree-store.ts'
import { silentLog } from '../../subgraphs/foundation/log.ts'
import { openMigrated, relationalEngines } from '../support/engines.ts'
import { treeStoreContract } from './tree-store.contract.ts'

for (const engine of relationalEngines())
  treeStoreContract(engine.name, async () => {
    const { database, url, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const second = openDatabase({ name: 'second', url: () => url, poolSize: 5, log: silentLog })
    return {
      store: postgresTreeStore(database),
      other: postgresTreeStore(second),
      close: async () => {
        await second.stop()
        await dispose()
      },
    }
  })
