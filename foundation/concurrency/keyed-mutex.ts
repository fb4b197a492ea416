import { withTimeout } from './timeout.ts'

/** Serialises tasks per name, in order of arrival. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  /**
   * @param timeoutError - creates the error that is thrown if the turn does not come within `ms`
   * @returns a function that passes the turn on
   * @throws the error of `timeoutError`, or the reason of an aborted signal
   */
  async acquire(name: string, ms: number, signal: AbortSignal, timeoutError: () => unknown): Promise<() => void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const before = this.#last.get(name)
    // a caller that stops waiting passes its turn on only after those before it
    const last = before === undefined ? over : before.then(() => over)
    this.#last.set(name, last)
    last.then(() => {
      if (this.#last.get(name) === last) this.#last.delete(name)
    })
    try {
      signal.throwIfAborted()
      if (before !== undefined) await withTimeout(before, ms, signal, () => (signal.aborted ? signal.reason : timeoutError()))
    } catch (error) {
      end()
      throw error
    }
    return end
  }
}
