import type { Queryable, Transaction } from '../relational/database.ts'

/** Version of the event format that this release writes and the newest that it reads. */
export const eventFormat = 1

export interface FeedEvent {
  readonly type: 'event'
  readonly topic: string
  /** starts at 1 in each topic, without gaps */
  readonly position: number
  readonly kind: string
  readonly id: string
  readonly at: Date
  /** greater than `eventFormat`: written by a newer release; a follower that needs every event must not skip it */
  readonly format: number
}

/** Events before the next one were pruned: a follower that needs them reads the current state instead. */
export interface Lagged {
  readonly type: 'lagged'
  /** position before the next event */
  readonly position: number
}

/** An event to append. */
export interface NewEvent {
  readonly kind: string
  readonly id: string
  /** content for the named followers of the topic; erased after all of them have passed the event */
  readonly detail?: string
}

/** Committed events in commit order, stored in a table, so that followers can resume from a position. An event contains only a kind and an id. */
export interface EventFeed {
  /**
   * Appends as the LAST step of a transaction: it locks the topic until the commit, so that a reader of position n has seen everything before n.
   * @param above - the events get positions above this one
   * @returns the position of the last event
   * @throws {EngineUnavailable}
   */
  append(tx: Transaction, topic: string, events: readonly NewEvent[], above?: number): Promise<number>
  /** Wakes followers after the commit. A lost announcement delays them by a second. Never throws. */
  announce(topic: string, position: number): void
  /** Returns the position of the last event, 0 before the first. @throws {EngineUnavailable} */
  position(topic: string, signal: AbortSignal): Promise<number>
  /**
   * Yields every event after the position, then new ones until the signal is aborted; survives an unavailable database. Starts with `lagged` if the
   * next events were pruned or the position is not of this feed.
   */
  follow(topic: string, after: number, signal: AbortSignal): AsyncIterable<FeedEvent | Lagged>
  /** Returns the cursor of a named follower, initially 0. Events after it are retained. @throws {EngineUnavailable} */
  readCursor(follower: string, topic: string): Promise<number>
  /** Advances the cursor in the transaction that stores the follower's results, for exactly-once processing. Never moves back. */
  advance(tx: Transaction, follower: string, topic: string, position: number): Promise<void>
  /** Deletes the cursor: no events are retained for the follower, and it may start at any position. */
  forgetCursor(tx: Transaction, follower: string, topic: string): Promise<void>
  /** Returns the details of the events after a position, up to and including another, in order; null: the event has none. */
  detailsOf(tx: Transaction, topic: string, after: number, upTo: number): Promise<readonly EventDetail[]>
  /** Returns the distinct ids of events after a position, as visible to the transaction. */
  idsSince(on: Queryable, topic: string, after: number, kinds: readonly string[]): Promise<ReadonlySet<string>>
  /** Deletes events that are neither among the latest of their topic nor after a cursor, and details before every cursor. @returns the number deleted */
  prune(): Promise<number>
}

export interface EventDetail {
  readonly id: string
  readonly detail: string | null
}

/** Notifies all processes of new items. A lost notification is made up for by the next poll. */
export interface Announcer {
  /** @param position - latest position, 0 if unknown */
  announce(topic: string, position: number): void
  /** @returns a function that unsubscribes */
  onAnnounced(topic: string, listener: () => void): () => void
}
