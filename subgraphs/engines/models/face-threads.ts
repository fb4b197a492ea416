import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { DeadlineExceeded, EngineUnavailable } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import type { FaceAnswer, FaceTask, FaceThreadData } from './face-worker.ts'

const mostWaiting = 256
/** For waiting and working together */
const timeoutMs = 60_000
const stopTimeoutMs = 15_000
const exitTimeoutMs = 2000

/**
 * The threads that look at images. A task that is given up (by its signal, the time-out or the stop) is told so and ends by itself
 * within one inference; its thread is never terminated while it works (see face-worker.ts).
 */
export class FaceThreads {
  readonly #pool: Piscina<FaceTask | undefined, FaceAnswer>
  readonly #running = new Map<Int32Array, Promise<unknown>>()
  /** Settles once every thread has loaded its models, or one of them failed to. */
  readonly ready: Promise<unknown>
  readonly #nativeCalls = new Int32Array(new SharedArrayBuffer(4))
  #stopping = false

  constructor(threads: number, executionProviders: readonly string[]) {
    const workerData: FaceThreadData = { executionProviders, inNative: this.#nativeCalls.buffer }
    this.#pool = new Piscina<FaceTask | undefined, FaceAnswer>({
      // The compiled file beside the compiled one, the TypeScript beside the TypeScript.
      filename: fileURLToPath(new URL(`./face-worker${extname(import.meta.url)}`, import.meta.url)),
      minThreads: threads,
      maxThreads: threads,
      maxQueue: mostWaiting,
      idleTimeout: Infinity,
      recordTiming: false,
      workerData,
    })
    // What fails here also fails the tasks of the thread; without a listener it would end the process.
    this.#pool.on('error', () => undefined)
    this.ready = Promise.all(Array.from({ length: threads }, () => this.#pool.run(undefined)))
    this.ready.catch(() => undefined)
    process.on('exit', this.#leaveNative)
  }

  /** @throws {EngineUnavailable} when a thread failed, too much is waiting or the threads stop; {DeadlineExceeded} after 60 s */
  async run({ image, kind, upright }: Omit<FaceTask, 'givenUp'>, signal: AbortSignal): Promise<NonNullable<FaceAnswer>> {
    signal.throwIfAborted()
    if (this.#stopping) throw new EngineUnavailable('face analyser')
    const givenUp = new Int32Array(new SharedArrayBuffer(4))
    const timeout = AbortSignal.timeout(timeoutMs)
    const over = AbortSignal.any([signal, timeout])
    const giveUp = (): void => void Atomics.store(givenUp, 0, 1)
    // Not handed over before: the pool keeps a task for ever that no thread lives to take.
    const task = this.ready.then(() => this.#pool.run({ image, kind, upright, givenUp: givenUp.buffer }))
    this.#running.set(givenUp, task)
    const settled = task.finally(() => this.#running.delete(givenUp))
    settled.catch(() => undefined)
    try {
      const answer = await Promise.race([settled, aborted(over, giveUp)])
      if (answer !== undefined) return answer
    } catch (error) {
      throw new EngineUnavailable('face analyser', error)
    }
    signal.throwIfAborted()
    if (timeout.aborted) throw new DeadlineExceeded('Looking for faces took too long')
    throw new EngineUnavailable('face analyser')
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
