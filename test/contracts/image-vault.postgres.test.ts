import { randomBytes } from 'node:crypto'
import { postgresImageVault } from '../../subgraphs/engines/image-vault/postgres-image-vault.ts'
import { openMigrated, relationalEngines } from '../support/engines.ts'
import { imageVaultContract } from './image-vault.contract.ts'

for (const engine of relationalEngines())
  imageVaultContract(engine.name, async () => {
    const { database, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const [key, otherKey] = [randomBytes(32), randomBytes(32)]
    const vault = postgresImageVault({ database, key })
    const withOtherKey = postgresImageVault({ database, key: otherKey })
    const rotated = postgresImageVault({ database, key: otherKey, previousKeys: [key] })
    return { vault, withOtherKey, rotated, database, close: async () => dispose() }
  })
