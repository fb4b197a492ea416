import { postgresAnalyticsStore } from '../../../engines/analytics-store/postgres-analytics-store.ts'
import { postgresCountableExpressions } from '../../../engines/analytics-store/postgres-countable-expressions.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { analyticsStoreContract } from './analytics-store.contract.ts'

for (const engine of relationalEngines())
  analyticsStoreContract(engine.name, async () => {
    const { database, url, [Symbol.asyncDispose]: dispose } = await openMigrated(engine)
    const feed = relayEventFeed({ database, connection: { kind: 'postgres', url: () => url }, log: silentLog })
    await feed.start(AbortSignal.timeout(60_000))
    return {
      store: postgresAnalyticsStore({ database, feed }),
      countable: postgresCountableExpressions,
      database,
      feed,
      storedRow: async (id) => (await database.orm.execute(sql`select * from expression where id = ${id}`)).rows[0] ?? {},
      close: async () => {
        await feed.stop()
        await dispose()
      },
    }
  })
