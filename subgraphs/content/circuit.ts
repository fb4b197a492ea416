import type { Clock } from '../foundation/clock.ts'
import { DeadlineExceeded, EngineUnavailable, Fault } from '../foundation/fault.ts'
import { within } from '../foundation/within.ts'

/** failures in a row after which nobody asks any more, how long an answer may take, and how often one caller tries again */
const mostFailures = 3
const answerLimitMs = 800
const retryEveryMs = 1000

/**
 * Keeps callers from waiting for an engine that is away (a circuit breaker).
 * @see Nygard, "Release It!", 2nd edition, chapter 5
 */
export class Circuit {
  readonly #clock: Clock
  #failures = 0
  #triedAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isOpen(): boolean {
    return this.#failures >= mostFailures
  }

  /** @throws {EngineUnavailable} at once while the circuit is open, else when the engine is away or does not answer in time */
  async run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    this.check()
    const late = new EngineUnavailable('content store', new Error(`no answer within ${answerLimitMs} ms`))
    try {
      const result = await within(work(), answerLimitMs, undefined, () => late)
      this.#failures = 0
      return result
    } catch (error) {
      if (signal.aborted) throw new DeadlineExceeded()
      if (!isAway(error)) throw error
      this.#failures++
      this.#triedAt = this.#clock.now()
      throw error
    }
  }

  /** @throws {EngineUnavailable} while the circuit is open, but for one caller a second */
  check(): void {
    if (!this.isOpen) return
    const now = this.#clock.now()
    if (now - this.#triedAt < retryEveryMs) throw new EngineUnavailable('content store', new Error('it was away a moment ago'))
    this.#triedAt = now
  }
}

export const isAway = (error: unknown): boolean => error instanceof Fault && error.code === 'ENGINE_UNAVAILABLE'
