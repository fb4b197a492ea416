import { clearRedis, queueEngines } from '../support/engines.ts'
import { jobQueueContract } from './job-queue.contract.ts'

for (const engine of queueEngines())
  jobQueueContract(engine.name, async () => {
    const fresh = await engine.relational.open()
    const connection = engine.connection(fresh.url)
    return {
      connection,
      async close() {
        await fresh[Symbol.asyncDispose]()
        if (connection.kind === 'redis') await clearRedis(connection.prefix)
      },
    }
  })
