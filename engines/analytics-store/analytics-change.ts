import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import type { EventFeed, NewEvent } from '../event-feed/event-feed.ts'
import type { Database, Transaction } from '../relational/database.ts'
import { type AnalyticsEventKind, analyticsTopic } from './analytics-store.ts'

interface Change<Result> {
  /** of the events; default: that of all changes except votes */
  readonly topic?: string
  readonly events: readonly (NewEvent & { readonly kind: AnalyticsEventKind })[]
  readonly result: Result
}

/** Runs a transaction and appends its events to the feed. */
export type AnalyticsChange = <Result>(work: (tx: Transaction) => Promise<Change<Result>>, window?: CommitWindow) => Promise<Result>

/** Returns the function that changes the analytics store and announces its events after the commit. */
export const analyticsChange =
  ({ database, feed }: { readonly database: Database; readonly feed: EventFeed }): AnalyticsChange =>
  async (work, window) => {
    const { result, topic, position } = await database.transaction(async (tx) => {
      const { topic = analyticsTopic, events, result } = await work(tx)
      return { result, topic, position: events.length === 0 ? undefined : await feed.append(tx, topic, events) }
    }, window)
    if (position !== undefined) feed.announce(topic, position)
    return result
  }
