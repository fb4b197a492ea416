/** Limits concurrent tasks; the others wait in order of arrival. */
export class Semaphore {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(count: number) {
    this.#free = count
  }

  /** @throws the reason of the signal if it is aborted before the task starts */
  async hold<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#take(signal)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    const { promise: turn, resolve: enter, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      this.#waiting.delete(enter)
      reject(signal.reason)
    }
    this.#waiting.add(enter)
    signal.addEventListener('abort', giveUp, { once: true })
    await turn.finally(() => signal.removeEventListener('abort', giveUp))
  }

  #leave(): void {
    const [enter] = this.#waiting
    if (enter === undefined) this.#free++
    else {
      this.#waiting.delete(enter)
      enter()
    }
  }
}
