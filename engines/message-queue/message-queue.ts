import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { DeadMessage } from './dead-letters.ts'

/** How the messages are written that this release sends, and the newest that it can read; one that does not say is of format 1. */
export const messageFormat = 1

/** What waits in a queue of messages. */
export interface MessageBacklog {
  /** which engine serves it, for health checks: postgresql or redis */
  readonly engine: string
  /** How long the one that has waited longest waits, of those that this release can read; 0 when there is none.   @throws {EngineUnavailable} */
  oldestAgeMs(signal: AbortSignal): Promise<number>
}

/** A durable queue whose messages hold what is to be done themselves: once `send` has ended they survive everyone's death. */
export interface MessageQueue extends MessageBacklog {
  /**
   * @param window - of who waits for it
   * @throws {EngineUnavailable} {DeadlineExceeded} when it is not in it   @throws {OutcomeUnknown} when it may be
   */
  send(kind: string, content: object, window: CommitWindow): Promise<void>
  /** Messages that nobody has finished yet, of formats that this release can read.   @throws {EngineUnavailable} */
  depth(signal: AbortSignal): Promise<number>
  /** Messages of formats that only a newer release can read, and that none has taken for a while.   @throws {EngineUnavailable} */
  newer(signal: AbortSignal): Promise<number>
}

/** One that keeps what cannot be handled, too. */
export interface DeadLetterCount {
  /** Messages that no worker could handle and that wait for an operator.   @throws {EngineUnavailable} */
  dead(signal: AbortSignal): Promise<number>
}

/** One whose dead letters are looked at, and given another try. */
export interface DeadLetters extends DeadLetterCount {
  /** The oldest first. @param window - places are their ids   @throws {EngineUnavailable} */
  deadMessages(window: RowWindow<number>): Promise<readonly DeadMessage[]>
  /** Gives these, or all, to the workers again.   @returns the ids of those that there were   @throws {EngineUnavailable} */
  redrive(ids?: readonly number[]): Promise<readonly number[]>
}

/** A message of a queue that others write to. */
export interface Message {
  /** what kind it is */
  readonly name: string
  /** as it came, to be held against a rule */
  readonly content: unknown
}

/**
 * Takes messages, in the order in which they came.
 * @throws {EngineUnavailable} to get the same ones again later; after anything else each comes once more, alone, and one that fails so is taken
 * off the queue and kept as a dead letter
 */
export type MessageHandler = (messages: readonly Message[], signal: AbortSignal) => Promise<void>

export interface Gathering {
  /** messages that are handed over at once, at most */
  readonly max: number
  /** how long the first waits for others */
  readonly gatherMs: number
}
