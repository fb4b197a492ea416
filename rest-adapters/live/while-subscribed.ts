import { withTimeout } from '../../subgraphs/foundation/concurrency/timeout.ts'

/** Somebody's wish that work is done. */
export interface Want {
  /** Resolves when what the work provides is there, or the work has ended, or after so long. Never rejects. */
  ready(limitMs: number): Promise<void>
  /** to be called once, when it is wanted no more */
  leave(): void
}

interface Run {
  readonly over: AbortController
  readonly ready: PromiseWithResolvers<void>
}

/** Does work while anybody wants it, and a while longer for those who come back. */
export class WhileWanted {
  readonly #work: (signal: AbortSignal, ready: () => void) => Promise<void>
  readonly #lingerMs: number
  #wanting = 0
  #run: Run | undefined
  /** the last run, which the next one waits for */
  #running: Promise<void> = Promise.resolve()
  #linger: NodeJS.Timeout | undefined
  #isStopped = false

  /**
   * @param work - goes on until its signal is aborted; calls `ready` when what it provides is there; must not reject
   * @param lingerMs - how long it goes on when nobody wants it
   */
  constructor(work: (signal: AbortSignal, ready: () => void) => Promise<void>, lingerMs: number) {
    this.#work = work
    this.#lingerMs = lingerMs
  }

  enter(): Want {
    clearTimeout(this.#linger)
    this.#wanting++
    this.#run ??= this.#begin()
    const { promise } = this.#run.ready
    return {
      ready: (limitMs) => withTimeout(promise, limitMs, undefined, () => undefined).catch(() => undefined),
      leave: () => {
        this.#wanting--
        if (this.#wanting === 0) this.#linger = setTimeout(() => this.#end(), this.#lingerMs)
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
