import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { DeadlineExceeded, EngineUnavailable } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { InferenceThreadData } from './inference-thread.ts'

const maxWaiting = 256
const stopTimeoutMs = 15_000
const exitTimeoutMs = 2000

export interface InferenceThreadsOptions<Data> {
  /** the module that the threads run; its default export answers a task */
  readonly worker: URL
  readonly threads: number
  /** as it is called when it fails */
  readonly engine: string
  /** for waiting and working together */
  readonly timeoutMs: number
  readonly data: Data
}

/**
 * Threads that run models on onnxruntime. A task that is given up (by its signal, the time-out or the stop) is told so and ends by itself
 * within one inference; its thread is never terminated while it works (see inference-thread.ts).
 */
export class InferenceThreads<Task extends object, Answer, Data extends object> {
  readonly #options: InferenceThreadsOptions<Data>
  readonly #pool: Piscina<(Task & { readonly givenUp: SharedArrayBuffer }) | undefined, Answer | undefined>
  readonly #running = new Map<Int32Array, Promise<unknown>>()
  /** Settles once every thread has loaded its models, or one of them failed to. */
  readonly ready: Promise<unknown>
  readonly #nativeCalls = new Int32Array(new SharedArrayBuffer(4))
  #stopping = false

  constructor(options: InferenceThreadsOptions<Data>) {
    this.#options = options
    const workerData: Data & InferenceThreadData = { ...options.data, inNative: this.#nativeCalls.buffer }
    this.#pool = new Piscina({
      filename: fileURLToPath(options.worker),
      minThreads: options.threads,
      maxThreads: options.threads,
      maxQueue: maxWaiting,
      idleTimeout: Infinity,
      recordTiming: false,
      workerData,
    })
    // What fails here also fails the tasks of the thread; without a listener it would end the process.
    this.#pool.on('error', () => undefined)
    this.ready = Promise.all(Array.from({ length: options.threads }, () => this.#pool.run(undefined)))
    this.ready.catch(() => undefined)
    process.on('exit', this.#leaveNative)
  }

  /** @throws {EngineUnavailable} when a thread failed, too much is waiting or the threads stop; {DeadlineExceeded} after the time for one task */
  async run(task: Task, signal: AbortSignal): Promise<Answer> {
    const { engine, timeoutMs } = this.#options
    signal.throwIfAborted()
    if (this.#stopping) throw new EngineUnavailable(engine)
    const givenUp = new Int32Array(new SharedArrayBuffer(4))
    const timeout = AbortSignal.timeout(timeoutMs)
    const over = AbortSignal.any([signal, timeout])
    const giveUp = (): void => void Atomics.store(givenUp, 0, 1)
    // Not handed over before: the pool keeps a task for ever that no thread lives to take.
    const running = this.ready.then(() => this.#pool.run({ ...task, givenUp: givenUp.buffer }))
    this.#running.set(givenUp, running)
    const settled = running.finally(() => this.#running.delete(givenUp))
    settled.catch(() => undefined)
    try {
      const answer = await Promise.race([settled, aborted(over, giveUp)])
      if (answer !== undefined) return answer
    } catch (error) {
      throw new EngineUnavailable(engine, error)
    }
    signal.throwIfAborted()
    if (timeout.aborted) throw new DeadlineExceeded(`The ${engine} took too long`)
    throw new EngineUnavailable(engine)
  }

  /** Gives up what runs or waits, lets the threads come to rest, ends them. One that does not come to rest is left to the end of the process. */
  async stop(): Promise<void> {
    this.#giveUp()
    const atRest = Promise.allSettled([this.ready, ...this.#running.values()]).then(() => true)
    const waited = new AbortController()
    if (await Promise.race([atRest, pause(stopTimeoutMs, waited.signal).then(() => false)])) await this.#pool.destroy()
    waited.abort()
    process.off('exit', this.#leaveNative)
  }

  #giveUp(): void {
    this.#stopping = true
    for (const givenUp of this.#running.keys()) Atomics.store(givenUp, 0, 1)
  }

  /** When the process ends without a stop (a second signal), its threads end with it: wait, blocking, until none is inside onnxruntime. */
  readonly #leaveNative = (): void => {
    this.#giveUp()
    const until = performance.now() + exitTimeoutMs
    for (let inside = Atomics.load(this.#nativeCalls, 0); inside > 0; inside = Atomics.load(this.#nativeCalls, 0)) {
      if (performance.now() > until) return
      Atomics.wait(this.#nativeCalls, 0, inside, exitTimeoutMs)
    }
  }
}

/** Resolves when the signal is aborted, after calling `then`. */
function aborted(signal: AbortSignal, then: () => void): Promise<undefined> {
  return new Promise((resolve) => {
    const done = (): void => {
      then()
      resolve(undefined)
    }
    if (signal.aborted) done()
    else signal.addEventListener('abort', done, { once: true })
  })
}
