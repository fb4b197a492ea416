import type { Announcer } from '../../engines/event-feed/announcer.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import { relayEventFeed } from '../../engines/event-feed/relay-event-feed.ts'
import type { Database } from '../../engines/relational/database.ts'
import { silentLog } from '../../foundation/log.ts'

/** The feed that a command hands to what announces changes. It is never started: nobody hears, and followers look for themselves within a second. */
export const unheardFeed = (database: Database): EventFeed & Announcer =>
  relayEventFeed({ database, connection: { kind: 'postgres', url: () => '' }, log: silentLog })
