import { codeOf, messageOf } from '../fault.ts'

/** A service answers, but work that depends on it makes no progress. Health shows the message. */
export class Stalled extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'Stalled'
  }
}

/** Why an engine is unavailable, in words without addresses, so that health may show it. */
export class KnownReason extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'KnownReason'
  }
}

const reportedForMs = 30_000

/** Whether an error is the system's for a full disk (ENOSPC), or carries its message, which engines pass on. */
export const isDiskFullError = (error: unknown): boolean => codeOf(error) === 'ENOSPC' || /no space left on device/i.test(messageOf(error))

/** Remembers that an engine refused a write for lack of disk space: only writes notice a full disk. */
export class FullDisk {
  #refusedAt = Number.NEGATIVE_INFINITY

  /**
   * @param error - of a write
   * @returns whether it reports a full disk
   */
  note(error: unknown): boolean {
    const isFull = isDiskFullError(error)
    if (isFull) this.#refusedAt = performance.now()
    return isFull
  }

  /** @throws {Stalled} for 30 s after a refused write */
  refuse(): void {
    if (performance.now() - this.#refusedAt < reportedForMs)
      throw new Stalled('Its disk is full: it accepts reads and refuses writes; free disk space')
  }
}
