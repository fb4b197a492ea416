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
  /** module that the threads run; its default export executes a task (see `answering`) */
  readonly worker: URL
  readonly threads: number
  /** name in error messages */
  readonly engine: string
  /** time limit of waiting and execution after the models are loaded, ms */
  readonly timeoutMs: number
  /**
   * whether threads may be terminated during a task. If so, a task over its limit loses its thread, which is replaced, and a stop does not wait;
   * otherwise tasks end within one inference.
   */
  readonly terminable: boolean
  readonly data: Data
  /** called once if models cannot be loaded */
  readonly onUnloadable: (error: unknown) => void
}

/** A pool of threads that run models, started on first use. A cancelled task (signal, time limit or stop) is notified. */
export class InferenceThreads<Task extends object, Answer, Data extends object> {
  readonly #options: InferenceThreadsOptions<Data>
  #started: StartedPool<Task, Answer> | undefined
  readonly #running = new Set<Promise<unknown>>()
  readonly #nativeCalls = new Int32Array(new SharedArrayBuffer(8))
  readonly #stopping = new AbortController()

  constructor(options: InferenceThreadsOptions<Data>) {
    this.#options = options
  }

  /** Settles when a thread has loaded its models or failed; resolves if a stop interrupts it. */
  load(): Promise<void> {
    return this.#startPool().loaded
  }

  #startPool(): StartedPool<Task, Answer> {
    if (this.#started !== undefined) return this.#started
    const options = this.#options
    const workerData: Data & InferenceThreadData = { ...options.data, inNative: this.#nativeCalls.buffer }
    const pool: Pool<Task, Answer> = new Piscina({
      filename: fileURLToPath(options.worker),
      // further threads start on demand: each loads its own models
      minThreads: 1,
      maxThreads: options.threads,
      maxQueue: maxWaiting,
      idleTimeout: Infinity,
      recordTiming: false,
      workerData,
    })
    // Errors here also reject the tasks of the thread; without a listener they would terminate the process.
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
    process.on('exit', this.#blockUntilOutsideNative)
    this.#started = { pool, loaded }
    return this.#started
  }

  /**
   * @throws {EngineUnavailable} if a thread failed, the queue is full or the pool stops
   * @throws {DeadlineExceeded} after the time limit of a task or of loading
   * @throws the reason of an aborted signal
   */
  async run(task: Task, signal: AbortSignal): Promise<Answer> {
    const { engine, timeoutMs } = this.#options
    await this.#loaded(signal)
    const timeout = AbortSignal.timeout(timeoutMs)
    const endSignal = AbortSignal.any([signal, timeout, this.#stopping.signal])
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4))
    const cancel = (): void => void Atomics.store(cancelFlag, 0, 1)
    endSignal.addEventListener('abort', cancel, { once: true })
    try {
      const answer = await Promise.race([this.#submit({ ...task, cancelFlag: cancelFlag.buffer }, timeout), aborted(endSignal)])
      if (answer !== undefined) return answer
    } catch (error) {
      if (!endSignal.aborted) throw new EngineUnavailable(engine, error)
    } finally {
      endSignal.removeEventListener('abort', cancel)
    }
    signal.throwIfAborted()
    if (timeout.aborted) throw new DeadlineExceeded(`The ${engine} exceeded its time limit: try again`)
    throw new EngineUnavailable(engine)
  }

  /** Loads the models first, so that the first task of a starting process does not spend its time limit on loading. */
  async #loaded(signal: AbortSignal): Promise<void> {
    const { engine } = this.#options
    signal.throwIfAborted()
    if (this.#stopping.signal.aborted) throw new EngineUnavailable(engine)
    const timeout = AbortSignal.timeout(loadTimeoutMs)
    try {
      await Promise.race([this.#startPool().loaded, aborted(AbortSignal.any([signal, timeout, this.#stopping.signal]))])
    } catch (error) {
      throw new EngineUnavailable(engine, error)
    }
    signal.throwIfAborted()
    if (this.#stopping.signal.aborted) throw new EngineUnavailable(engine)
    if (timeout.aborted) throw new DeadlineExceeded(`The ${engine} did not load within its time limit: try again`)
  }

  /** Cancels all tasks, waits for the threads and terminates them. A thread that does not become idle is left until the process exits. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#started === undefined) return
    const { pool, loaded } = this.#started
    Atomics.store(this.#nativeCalls, nativeCalls.closed, 1)
    if (this.#options.terminable || (await this.#becomesIdle(loaded))) await pool.destroy()
    process.off('exit', this.#blockUntilOutsideNative)
  }

  #submit(task: Task & Interruptible, timeout: AbortSignal): Promise<Answer | undefined> {
    const running = this.#startPool().pool.run(task, this.#options.terminable ? { signal: timeout } : {})
    this.#running.add(running)
    const settled = running.finally(() => this.#running.delete(running))
    settled.catch(() => undefined)
    return settled
  }

  async #becomesIdle(loaded: Promise<void>): Promise<boolean> {
    const idle = Promise.allSettled([loaded, ...this.#running])
      .then(() => this.#untilOutsideNative())
      .then(() => true)
    const wait = new AbortController()
    try {
      return await Promise.race([idle, pause(stopTimeoutMs, wait.signal).then(() => false)])
    } finally {
      wait.abort()
    }
  }

  /** Resolves when no thread is inside onnxruntime; a thread without a task may still be loading models. */
  async #untilOutsideNative(): Promise<void> {
    for (let insideCount = this.#insideCount(); insideCount > 0; insideCount = this.#insideCount())
      await Atomics.waitAsync(this.#nativeCalls, nativeCalls.inside, insideCount, stopTimeoutMs).value
  }

  #insideCount(): number {
    return Atomics.load(this.#nativeCalls, nativeCalls.inside)
  }

  /** Blocks an exit without a stop (second signal) until no thread is inside onnxruntime. */
  readonly #blockUntilOutsideNative = (): void => {
    this.#stopping.abort()
    const until = performance.now() + exitTimeoutMs
    Atomics.store(this.#nativeCalls, nativeCalls.closed, 1)
    for (let insideCount = this.#insideCount(); insideCount > 0; insideCount = this.#insideCount()) {
      if (performance.now() > until) return
      Atomics.wait(this.#nativeCalls, nativeCalls.inside, insideCount, exitTimeoutMs)
    }
  }
}

type Pool<Task, Answer> = Piscina<(Task & Interruptible) | undefined, Answer | undefined>
interface StartedPool<Task, Answer> {
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
