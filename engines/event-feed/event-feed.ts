import type { Queryable, Transaction } from '../relational/database.ts'

/** How the events are written that this release appends, and the newest that it can read. */
export const eventFormat = 1

export interface FeedEvent {
  readonly type: 'event'
  readonly topic: string
  /** counts from 1 within the topic, without gaps */
  readonly position: number
  readonly kind: string
  readonly id: string
  readonly at: Date
  /** above `eventFormat`: of a newer release, and not to be passed by whoever must miss none */
  readonly format: number
}

/** Events between the last one given and the next were pruned: whoever needs them reads the state itself. */
export interface Lagged {
  readonly type: 'lagged'
  /** what is given next comes after it: whoever goes on from here has missed no more */
  readonly position: number
}

/**
 * What happened, in the order in which it was committed, kept in a table so that anyone may resume from a position. An event says only
 * what kind of thing happened to which id.
 */
export interface EventFeed {
  /**
   * Appends within the transaction, as its LAST step: from here to the commit nobody else can append to the topic, so that whoever has
   * read up to a position has seen everything before it.
   * @returns the position of the last one   @throws {EngineUnavailable}
   */
  append(tx: Transaction, topic: string, events: readonly { readonly kind: string; readonly id: string }[]): Promise<number>
  /** After the commit: wakes the followers at once. A lost announcement costs them a second, not an event. Never throws. */
  announce(topic: string, position: number): void
  /** @returns the position of the last event, 0 before the first   @throws {EngineUnavailable} */
  position(topic: string, signal: AbortSignal): Promise<number>
  /**
   * Every event after the position, then each new one, until the signal is aborted. It outlives a database that is away for a while.
   * Begins with `lagged` when events right after the position are gone, or the position is not of this feed.
   */
  follow(topic: string, after: number, signal: AbortSignal): AsyncIterable<FeedEvent | Lagged>
  /** How far a named follower has come, 0 at first. Events above its cursor are kept for it.   @throws {EngineUnavailable} */
  readCursor(follower: string, topic: string): Promise<number>
  /** Moves the cursor in the transaction that holds what the follower made of the events: exactly once. It never moves back. */
  advance(tx: Transaction, follower: string, topic: string, position: number): Promise<void>
  /** Nothing is kept for the follower any longer, and it may begin anywhere, also before where it was. */
  forgetCursor(tx: Transaction, follower: string, topic: string): Promise<void>
  /** Ids of what happened after a position, each once, as the transaction sees it. */
  idsSince(on: Queryable, topic: string, after: number, kinds: readonly string[]): Promise<ReadonlySet<string>>
  /** Removes events that are neither among the latest of their topic nor above a cursor. @returns how many */
  prune(): Promise<number>
}
