import type { Announcer } from '../../engines/event-feed/announcer.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import { relayEventFeed } from '../../engines/event-feed/relay-event-feed.ts'
import type { Database } from '../../engines/relational/database.ts'
import { silentLog } from '../../foundation/log.ts'

/** Returns an event feed for commands that append events. It is never started and announces nothing; followers poll every second. */
export const unheardFeed = (database: Database): EventFeed & Announcer =>
  relayEventFeed({ database, connection: { kind: 'postgres', url: () => '' }, log: silentLog })
