import { messageOf } from '../fault.ts'
import { Stalled } from './stalled.ts'

const toldForMs = 30_000

/** Whether what was thrown is the sentence of a system without space (errno ENOSPC), which engines pass on. */
export const saysDiskFull = (error: unknown): boolean => /No space left on device/.test(messageOf(error))

/** Remembers that an engine refused to write for lack of space: a full disk is only noticed by who writes. */
export class FullDisk {
  #refusedAt = Number.NEGATIVE_INFINITY

  /** @param error - of a write   @returns whether it says that the disk is full */
  note(error: unknown): boolean {
    const isFull = saysDiskFull(error)
    if (isFull) this.#refusedAt = performance.now()
    return isFull
  }

  /** @throws {Stalled} for half a minute after a write was refused */
  refuse(): void {
    if (performance.now() - this.#refusedAt < toldForMs)
      throw new Stalled('Its disk is full: it reads and refuses to write; free some space there')
  }
}
