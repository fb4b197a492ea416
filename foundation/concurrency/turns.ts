import { withTimeout } from './timeout.ts'

/** Lets one at a time in for each name, in the order in which they came. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  /**
   * @param late - makes what is thrown when the turn does not come within `ms`
   * @returns what gives the turn on   @throws what `late` makes, and once the signal is aborted its reason
   */
  async take(name: string, ms: number, signal: AbortSignal, late: () => unknown): Promise<() => void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const before = this.#last.get(name)
    // who gives up has ended, and lets the next one in only after those before it
    const last = before === undefined ? over : before.then(() => over)
    this.#last.set(name, last)
    last.then(() => {
      if (this.#last.get(name) === last) this.#last.delete(name)
    })
    try {
      signal.throwIfAborted()
      if (before !== undefined) await withTimeout(before, ms, signal, () => (signal.aborted ? signal.reason : late()))
    } catch (error) {
      end()
      throw error
    }
    return end
  }
}
