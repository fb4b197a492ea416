import './telemetry-opt-out.ts'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { DeadlineExceeded, EngineUnavailable } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { type InferenceThreadData, type Interruptible, nativeCalls } from './inference-thread.ts'

const maxWaiting = 256
const loadTimeoutMs = 120_000
const stopTimeoutMs = 15_000
const exitTimeoutMs = 2000

export interface InferenceThreadsOptions<Data> {
  /** the module that the threads run; its default export answers a task (see `answering`) */
  readonly worker: URL
  readonly threads: number
  /** as it is called when it fails */
  readonly engine: string
  /** for waiting and working together, once the models are loaded */
  readonly timeoutMs: number
  /**
   * whether the engine bears that its thread ends while it works. Then a task that takes too long loses its thread, which is replaced, and a
   * stop waits for none; otherwise each ends by itself within one inference.
   */
  readonly terminable: boolean
  readonly data: Data
  /** called once when models cannot be loaded */
  readonly onUnloadable: (error: unknown) => void
}

/** Threads that run models, begun when they are first needed. A task that is given up (by its signal, the time-out or the stop) is told so. */
export class InferenceThreads<Task extends object, Answer, Data extends object> {
  readonly #options: InferenceThreadsOptions<Data>
  #begun: Begun<Task, Answer> | undefined
  readonly #running = new Set<Promise<unknown>>()
  readonly #nativeCalls = new Int32Array(new SharedArrayBuffer(8))
  readonly #stopping = new AbortController()

  constructor(options: InferenceThreadsOptions<Data>) {
    this.#options = options
  }

  /** Settles once a thread has loaded its models, or failed to; what a stop cuts short has not failed. */
  load(): Promise<void> {
    return this.#begin().loaded
  }

  #begin(): Begun<Task, Answer> {
    if (this.#begun !== undefined) return this.#begun
    const options = this.#options
    const workerData: Data & InferenceThreadData = { ...options.data, inNative: this.#nativeCalls.buffer }
    const pool: Pool<Task, Answer> = new Piscina({
      filename: fileURLToPath(options.worker),
      // the others begin, and load, when there is work for them: each has models of its own
      minThreads: 1,
      maxThreads: options.threads,
      maxQueue: maxWaiting,
      idleTimeout: Infinity,
      recordTiming: false,
      workerData,
    })
    // What fails here also fails the tasks of the thread; without a listener it would end the process.
    pool.on('error', () => undefined)
    const loaded = pool.run(undefined).then(
      () => undefined,
      (error: unknown) => {
        if (this.#stopping.signal.aborted) return
        options.onUnloadable(error)
        throw error
      },
    )
    loaded.catch(() => undefined)
    process.on('exit', this.#leaveNative)
    this.#begun = { pool, loaded }
    return this.#begun
  }

  /**
   * @throws {EngineUnavailable} when a thread failed, too much is waiting or the threads stop   @throws {DeadlineExceeded} after the time for one
   * task, or for loading   @throws the signal's reason when it is aborted
   */
  async run(task: Task, signal: AbortSignal): Promise<Answer> {
    const { engine, timeoutMs } = this.#options
    await this.#loaded(signal)
    const timeout = AbortSignal.timeout(timeoutMs)
    const over = AbortSignal.any([signal, timeout, this.#stopping.signal])
    const givenUp = new Int32Array(new SharedArrayBuffer(4))
    const giveUp = (): void => void Atomics.store(givenUp, 0, 1)
    over.addEventListener('abort', giveUp, { once: true })
    try {
      const answer = await Promise.race([this.#hand({ ...task, givenUp: givenUp.buffer }, timeout), aborted(over)])
      if (answer !== undefined) return answer
    } catch (error) {
      if (!over.aborted) throw new EngineUnavailable(engine, error)
    } finally {
      over.removeEventListener('abort', giveUp)
    }
    signal.throwIfAborted()
    if (timeout.aborted) throw new DeadlineExceeded(`The ${engine} took too long`)
    throw new EngineUnavailable(engine)
  }

  /** Loads, if nothing has: the first task of a process that is busy with its start must not lose its own time to that. */
  async #loaded(signal: AbortSignal): Promise<void> {
    const { engine } = this.#options
    signal.throwIfAborted()
    if (this.#stopping.signal.aborted) throw new EngineUnavailable(engine)
    const timeout = AbortSignal.timeout(loadTimeoutMs)
    try {
      await Promise.race([this.#begin().loaded, aborted(AbortSignal.any([signal, timeout, this.#stopping.signal]))])
    } catch (error) {
      throw new EngineUnavailable(engine, error)
    }
    signal.throwIfAborted()
    if (this.#stopping.signal.aborted) throw new EngineUnavailable(engine)
    if (timeout.aborted) throw new DeadlineExceeded(`The ${engine} took too long to load`)
  }

  /** Gives up what runs or waits, lets the threads come to rest, ends them. One that does not come to rest is left to the end of the process. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#begun === undefined) return
    const { pool, loaded } = this.#begun
    Atomics.store(this.#nativeCalls, nativeCalls.closed, 1)
    if (this.#options.terminable || (await this.#comesToRest(loaded))) await pool.destroy()
    process.off('exit', this.#leaveNative)
  }

  #hand(task: Task & Interruptible, timeout: AbortSignal): Promise<Answer | undefined> {
    const running = this.#begin().pool.run(task, this.#options.terminable ? { signal: timeout } : {})
    this.#running.add(running)
    const settled = running.finally(() => this.#running.delete(running))
    settled.catch(() => undefined)
    return settled
  }

  async #comesToRest(loaded: Promise<void>): Promise<boolean> {
    const atRest = Promise.allSettled([loaded, ...this.#running])
      .then(() => this.#leftNative())
      .then(() => true)
    const waited = new AbortController()
    try {
      return await Promise.race([atRest, pause(stopTimeoutMs, waited.signal).then(() => false)])
    } finally {
      waited.abort()
    }
  }

  /** Resolves when no thread is inside onnxruntime: one without a task may still be loading its models. */
  async #leftNative(): Promise<void> {
    for (let inside = this.#inside(); inside > 0; inside = this.#inside())
      await Atomics.waitAsync(this.#nativeCalls, nativeCalls.inside, inside, stopTimeoutMs).value
  }

  #inside(): number {
    return Atomics.load(this.#nativeCalls, nativeCalls.inside)
  }

  /** When the process ends without a stop (a second signal), its threads end with it: wait, blocking, until none is inside onnxruntime. */
  readonly #leaveNative = (): void => {
    this.#stopping.abort()
    const until = performance.now() + exitTimeoutMs
    Atomics.store(this.#nativeCalls, nativeCalls.closed, 1)
    for (let inside = this.#inside(); inside > 0; inside = this.#inside()) {
      if (performance.now() > until) return
      Atomics.wait(this.#nativeCalls, nativeCalls.inside, inside, exitTimeoutMs)
    }
  }
}

type Pool<Task, Answer> = Piscina<(Task & Interruptible) | undefined, Answer | undefined>
interface Begun<Task, Answer> {
  readonly pool: Pool<Task, Answer>
  readonly loaded: Promise<void>
}

/** Resolves when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
