import { withTimeout } from '../../foundation/concurrency/timeout.ts'

/** Of somebody who needs that work is done. */
export interface Subscription {
  /** Resolves when what the work provides is there, or the work has ended, or after so long. Never rejects. */
  ready(limitMs: number): Promise<void>
  /** to be called once, at its end */
  leave(): void
}

interface Run {
  readonly over: AbortController
  readonly ready: PromiseWithResolvers<void>
}

/** Does work while anybody is subscribed to it, and a while longer for those who come back. */
export class WhileSubscribed {
  readonly #work: (signal: AbortSignal, ready: () => void) => Promise<void>
  readonly #lingerMs: number
  #subscribers = 0
  #run: Run | undefined
  /** the last run, which the next one waits for */
  #running: Promise<void> = Promise.resolve()
  #linger: NodeJS.Timeout | undefined
  #isStopped = false

  /**
   * @param work - goes on until its signal is aborted; calls `ready` when what it provides is there; must not reject
   * @param lingerMs - how long it goes on when nobody is
   */
  constructor(work: (signal: AbortSignal, ready: () => void) => Promise<void>, lingerMs: number) {
    this.#work = work
    this.#lingerMs = lingerMs
  }

  enter(): Subscription {
    clearTimeout(this.#linger)
    this.#subscribers++
    this.#run ??= this.#begin()
    const { promise } = this.#run.ready
    return {
      ready: (limitMs) => withTimeout(promise, limitMs, undefined, () => undefined).catch(() => undefined),
      leave: () => {
        this.#subscribers--
        if (this.#subscribers === 0) this.#linger = setTimeout(() => this.#end(), this.#lingerMs)
      },
    }
  }

  /** Resolves when the work has ended; from here on none is begun. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#linger)
    this.#end()
    await this.#running
  }

  #begin(): Run {
    const run = { over: new AbortController(), ready: Promise.withResolvers<void>() }
    if (this.#isStopped) run.over.abort()
    const { signal } = run.over
    this.#running = this.#running
      .then(() => (signal.aborted ? undefined : this.#work(signal, run.ready.resolve)))
      .finally(run.ready.resolve)
    return run
  }

  #end(): void {
    this.#run?.over.abort()
    this.#run = undefined
  }
}
