import { postgresKeyValue } from '../../../subgraphs/engines/key-value/postgres-key-value.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { keyValueContract } from './key-value.contract.ts'

for (const engine of relationalEngines())
  keyValueContract(engine.name, async () => {
    const { database, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const [here, there] = [postgresKeyValue({ database, log: silentLog }), postgresKeyValue({ database, log: silentLog })]
    return [here, there, async () => dispose()]
  })
