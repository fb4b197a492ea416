import type { Clock } from '../clock.ts'
import { DeadlineExceeded, EngineUnavailable, Fault } from '../fault.ts'
import { withTimeout } from './timeout.ts'

export interface CircuitOptions {
  readonly clock: Clock
  /** as it is called when it is away */
  readonly engine: string
  /** longest time that an answer may take */
  readonly answerLimitMs: number
  /** how often one caller tries again while the circuit is open */
  readonly retryEveryMs: number
  /** which failures say that nobody need ask any more (usually each that says that the engine is not available) */
  readonly counts?: (error: unknown) => boolean
}

/** failures in a row after which nobody asks any more */
const maxFailures = 3

/**
 * Keeps callers from waiting for an engine that is away (a circuit breaker).
 * @see Nygard, "Release It!", 2nd edition, chapter 5
 */
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

  /** @throws {EngineUnavailable} at once while the circuit is open, else when the engine is away or does not answer in time */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    this.check()
    const { clock, engine, answerLimitMs, counts = isAway } = this.#options
    const late = (): Error => new EngineUnavailable(engine, new Error(`no answer within ${answerLimitMs} ms`))
    try {
      const result = await withTimeout(work(), answerLimitMs, undefined, late)
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

  /** The engine has answered, to `run` or to a caller of `check`. */
  close(): void {
    this.#failures = 0
  }

  /** @throws {EngineUnavailable} while the circuit is open, but for one caller now and then */
  check(): void {
    if (!this.isOpen) return
    const { clock, engine, retryEveryMs } = this.#options
    const now = clock.now()
    // a clock that was set back does not keep it open
    if (Math.abs(now - this.#triedAt) < retryEveryMs) throw new EngineUnavailable(engine, new Error('it was away a moment ago'))
    this.#triedAt = now
  }
}

export const isAway = (error: unknown): boolean => error instanceof Fault && error.code === 'ENGINE_UNAVAILABLE'
