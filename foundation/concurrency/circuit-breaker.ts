import type { Clock } from '../clock.ts'
import { DeadlineExceeded, EngineUnavailable, Fault } from '../fault.ts'
import { withTimeout } from './timeout.ts'

export interface CircuitOptions {
  readonly clock: Clock
  /** name of the engine in error messages */
  readonly engine: string
  /** time limit of one call, ms */
  readonly answerLimitMs: number
  /** interval at which one caller may try again while the circuit is open, ms */
  readonly retryEveryMs: number
  /** whether a failure counts towards opening the circuit (usually: the engine is unavailable) */
  readonly counts?: (error: unknown) => boolean
}

/** consecutive failures that open the circuit */
const maxFailures = 3

/** Fails calls to an unavailable engine immediately (circuit breaker). @see Nygard, "Release It!", 2nd edition, chapter 5 */
export class Circuit {
  readonly #options: CircuitOptions
  #failures = 0
  #triedAt = 0

  constructor(options: CircuitOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#failures >= maxFailures
  }

  /** @throws {EngineUnavailable} immediately while the circuit is open; otherwise if the engine is unavailable or exceeds the time limit */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    this.check()
    const { clock, engine, answerLimitMs, counts = isUnavailable } = this.#options
    const timeoutError = (): Error => new EngineUnavailable(engine, new Error(`no response within ${answerLimitMs} ms`))
    try {
      const result = await withTimeout(work(), answerLimitMs, undefined, timeoutError)
      this.close()
      return result
    } catch (error) {
      if (signal?.aborted) throw new DeadlineExceeded()
      if (!counts(error)) throw error
      this.#failures++
      this.#triedAt = clock.now()
      throw error
    }
  }

  /** Closes the circuit after a successful call, through `run` or by a caller of `check`. */
  close(): void {
    this.#failures = 0
  }

  /** @throws {EngineUnavailable} while the circuit is open, except for one caller per `retryEveryMs` */
  check(): void {
    if (!this.isOpen) return
    const { clock, engine, retryEveryMs } = this.#options
    const now = clock.now()
    // tolerates a clock that was set back
    if (Math.abs(now - this.#triedAt) < retryEveryMs) throw new EngineUnavailable(engine, new Error('the last call failed'))
    this.#triedAt = now
  }
}

export const isUnavailable = (error: unknown): boolean => error instanceof Fault && error.code === 'ENGINE_UNAVAILABLE'
