import { randomBytes } from 'node:crypto'
import { postgresImageVault } from '../../subgraphs/engines/image-vault/postgres-image-vault.ts'
import { openMigrated, relationalEngines } from '../support/engines.ts'
import { imageVaultContract } from './image-vault.contract.ts'

for (const engine of relationalEngines())
  imageVaultContract(engine.name, async () => {
    const { database, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const vault = postgresImageVault({ database, key: randomBytes(32) })
    const withOtherKey = postgresImageVault({ database, key: randomBytes(32) })
    return { vault, withOtherKey, database, close: async () => dispose() }
  })
