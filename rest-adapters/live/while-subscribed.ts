import { withTimeout } from '../../foundation/concurrency/timeout.ts'

/** A subscription to shared work. */
export interface Subscription {
  /** Resolves when the work is ready or has ended, or after the limit. Never rejects. */
  ready(limitMs: number): Promise<void>
  /** must be called once, at the end */
  leave(): void
}

interface Run {
  readonly endController: AbortController
  readonly ready: PromiseWithResolvers<void>
}

/** Runs work while there are subscriptions, and a while longer for resuming clients. */
export class SubscriptionBoundWork {
  readonly #work: (signal: AbortSignal, ready: () => void) => Promise<void>
  readonly #lingerMs: number
  #subscribers = 0
  #run: Run | undefined
  /** the last run, which the next one awaits */
  #running: Promise<void> = Promise.resolve()
  #linger: NodeJS.Timeout | undefined
  #isStopped = false

  /**
   * @param work - runs until its signal is aborted; calls `ready` when its result is available; must not reject
   * @param lingerMs - how long it runs without subscriptions
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

  /** Resolves when the work has ended; no further work starts. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#linger)
    this.#end()
    await this.#running
  }

  #begin(): Run {
    const run = { endController: new AbortController(), ready: Promise.withResolvers<void>() }
    if (this.#isStopped) run.endController.abort()
    const { signal } = run.endController
    this.#running = this.#running
      .then(() => (signal.aborted ? undefined : this.#work(signal, run.ready.resolve)))
      .finally(run.ready.resolve)
    return run
  }

  #end(): void {
    this.#run?.endController.abort()
    this.#run = undefined
  }
}
