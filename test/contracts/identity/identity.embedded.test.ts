import { embeddedIssuerUrl, people, startEmbeddedIdentity } from '../../support/engines/embedded-identity.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { identityContract } from './identity.contract.ts'

for (const engine of relationalEngines())
  identityContract(`embedded issuer on ${engine.name}`, async () => {
    const opened = await openMigrated(engine)
    const running = await startEmbeddedIdentity(opened.database)
    return {
      ...running,
      people,
      issuer: embeddedIssuerUrl,
      async [Symbol.asyncDispose]() {
        await running[Symbol.asyncDispose]()
        await opened[Symbol.asyncDispose]()
      },
    }
  })
