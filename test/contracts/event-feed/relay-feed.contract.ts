import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import { silentLog } from '../../../foundation/log.ts'
import { openMigrated } from '../../support/engines/engines.ts'
import type { QueueEngine } from '../../support/engines/queue-engines.ts'
import { eventFeedContract, windowOfTests } from './event-feed.contract.ts'

/** The contract of a feed whose announcements use BullMQ's Relay. */
export function relayFeedContract(engine: QueueEngine): void {
  eventFeedContract(engine.name, async () => {
    const { database, url, [Symbol.asyncDispose]: dispose } = await openMigrated(engine.relational)
    const connection = engine.connection(url)
    const options = { database, connection, log: silentLog, window: windowOfTests }
    const [here, there] = [relayEventFeed(options), relayEventFeed(options)]
    const attentive = relayEventFeed({ ...options, pollEveryMs: 3_600_000 })
    const silent = relayEventFeed({ ...options, connection: { kind: 'redis', url: 'redis://127.0.0.1:1/0', prefix: 'nowhere' } })
    for (const feed of [here, there, attentive]) await feed.start(AbortSignal.timeout(60_000))
    return {
      here,
      there,
      attentive,
      silent,
      database,
      async close() {
        for (const feed of [here, there, attentive, silent]) await feed.stop()
        await dispose()
        await engine.clear(connection)
      },
    }
  })
}
