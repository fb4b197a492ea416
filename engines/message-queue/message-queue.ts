import type { CommitWindow } from '../../foundation/concurrency/deadline.ts'
import type { RowWindow } from '../../foundation/row-window.ts'
import type { DeadMessage } from './dead-letters.ts'

/** Version of the message format that this release sends and the newest that it reads; messages without one have format 1. */
export const messageFormat = 1

/** Measures a message queue. */
export interface MessageBacklog {
  /** engine, for health checks: postgresql or redis */
  readonly engine: string
  /** Returns the age of the oldest message that this release can read; 0 without one. @throws {EngineUnavailable} */
  oldestAgeMs(signal: AbortSignal): Promise<number>
}

/** A durable queue of self-contained messages: after `send` resolves they survive a crash of every process. */
export interface MessageQueue extends MessageBacklog {
  /**
   * @param window - of the caller
   * @throws {EngineUnavailable} {DeadlineExceeded} if it was not stored
   * @throws {OutcomeUnknown} if it may have been stored
   */
  send(kind: string, content: object, window: CommitWindow): Promise<void>
  /** Returns the number of unfinished messages that this release can read. @throws {EngineUnavailable} */
  depth(signal: AbortSignal): Promise<number>
  /** Returns the number of messages that only a newer release can read and that none has taken for a while. @throws {EngineUnavailable} */
  newer(signal: AbortSignal): Promise<number>
}

/** A queue that stores messages that cannot be handled. */
export interface DeadLetterCount {
  /** Returns the number of dead letters. @throws {EngineUnavailable} */
  dead(signal: AbortSignal): Promise<number>
}

/** A queue whose dead letters can be listed and retried. */
export interface DeadLetters extends DeadLetterCount {
  /**
   * Returns dead letters, oldest first. @param window - positions are ids
   * @throws {EngineUnavailable}
   */
  deadMessages(window: RowWindow<number>): Promise<readonly DeadMessage[]>
  /**
   * Returns these dead letters, or all, to the workers. @returns the ids of those that existed
   * @throws {EngineUnavailable}
   */
  redrive(ids?: readonly number[]): Promise<readonly number[]>
}

/** A message of a queue with external producers. */
export interface Message {
  /** kind of the message */
  readonly name: string
  /** untrusted content, to be validated */
  readonly content: unknown
}

/**
 * Handles messages in order of arrival. @throws {EngineUnavailable} to receive the same ones again later; after any other error each is delivered
 * once more, alone, and stored as a dead letter if it fails again
 */
export type MessageHandler = (messages: readonly Message[], signal: AbortSignal) => Promise<void>

export interface BatchOptions {
  /** maximum number of messages per call */
  readonly max: number
  /** how long the first one waits for others, ms */
  readonly gatherMs: number
}
