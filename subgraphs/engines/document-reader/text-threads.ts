import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { workerModule } from '../../foundation/concurrency/worker-module.ts'
import { DeadlineExceeded, EngineUnavailable } from '../../foundation/fault.ts'
import { linkLanguageData } from './text-language-data.ts'
import type { TextAnswer, TextTask, TextThreadData } from './text-worker.ts'

const maxWaiting = 256

/** The threads that read text. A thread that fails is replaced by a new one; a read that takes too long loses its thread. */
export class TextThreads {
  readonly #pool: Piscina<TextTask | undefined, TextAnswer>
  readonly #timeoutMs: number
  readonly #data = linkLanguageData()
  readonly #stopping = new AbortController()
  /** Settles once every thread has loaded its language, or one of them failed to; what a stop cuts short has not failed. */
  readonly ready: Promise<unknown>

  constructor(threads: number, timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    const workerData: TextThreadData = { dataFolder: this.#data.folder }
    this.#pool = new Piscina<TextTask | undefined, TextAnswer>({
      filename: fileURLToPath(workerModule('text-worker', import.meta.url)),
      minThreads: threads,
      maxThreads: threads,
      maxQueue: maxWaiting,
      idleTimeout: Infinity,
      recordTiming: false,
      workerData,
    })
    // What fails here also fails the tasks of the thread; without a listener it would end the process.
    this.#pool.on('error', () => undefined)
    this.ready = Promise.all(Array.from({ length: threads }, () => this.#pool.run(undefined))).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) throw error
    })
    this.ready.catch(() => undefined)
    process.on('exit', this.#data.remove)
  }

  /** @throws {EngineUnavailable} when the thread failed, too much is waiting or the threads stop; {DeadlineExceeded} after the time for one read; the signal's reason */
  async run(task: Omit<TextTask, 'givenUp'>, signal: AbortSignal): Promise<NonNullable<TextAnswer>> {
    signal.throwIfAborted()
    const timeout = AbortSignal.timeout(this.#timeoutMs)
    const givenUp = new Int32Array(new SharedArrayBuffer(4))
    const over = AbortSignal.any([signal, this.#stopping.signal])
    const giveUp = (): void => void Atomics.store(givenUp, 0, 1)
    over.addEventListener('abort', giveUp, { once: true })
    try {
      // piscina ends the thread of a task that its signal aborts and starts another: for the time-out alone, since a read given up ends by itself
      const answer = await Promise.race([this.#pool.run({ ...task, givenUp: givenUp.buffer }, { signal: timeout }), aborted(over)])
      if (answer !== undefined) return answer
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) throw new DeadlineExceeded('Reading the document took too long', error)
      throw new EngineUnavailable('text reader', error)
    } finally {
      over.removeEventListener('abort', giveUp)
    }
    signal.throwIfAborted()
    throw new EngineUnavailable('text reader')
  }

  /** Gives up what runs or waits and ends the threads, each with its reader. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#pool.destroy()
    process.off('exit', this.#data.remove)
    this.#data.remove()
  }
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
