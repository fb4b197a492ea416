import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { to as copyTo } from 'pg-copy-streams'
import type { Database } from '../../../engines/relational/database.ts'
import { translatedError } from '../../../engines/relational/query-errors.ts'
import { EngineUnavailable, Fault, Overloaded } from '../../../foundation/fault.ts'
import { workerModule } from '../../../foundation/process/build-info.ts'
import type { SimulationAnswer, SimulationMessage, SimulationReport, SimulationTask } from './simulation-thread.ts'

/** a scenario is compared on the same delegations for this long; then they are read again */
const snapshotMs = 300_000
/** memory of a million delegations is returned when no simulation has run for this long */
const idleMs = 600_000
const taskTimeoutMs = 30_000
const maxWaiting = 20
/** memory of the thread: 500 MB hold about this many */
const maxDelegations = 1_500_000
const memoryLimitMb = 900
/** bytes of one message to the thread, and messages that it may be behind */
const chunkBytes = 256 * 1024
const maxBehind = 16

/**
 * Delegations that may have been in force at some time, so that a simulation can be about any moment; the columns are those that
 * `SnapshotBuilder` reads. Revoked ones are left out: the time of their end is unknown.
 */
const snapshotQuery = `copy (
  select id, delegator_code, delegate_code, group_id, domain, scope,
    (extract(epoch from starts_at) * 1000)::bigint, (extract(epoch from ends_at) * 1000)::bigint
  from delegation where status <> 'revoked' limit ${maxDelegations + 1}
) to stdout`

/** The delegations of one moment, in a thread of their own. */
export interface Snapshot {
  readonly at: Date
  /** number of delegations */
  readonly count: number
}

interface Loading {
  readonly snapshot: Promise<LoadedSnapshot>
  /** Stops reading, or ends the thread after its last task. */
  readonly retire: () => void
  /** number of callers that wait */
  waiting: number
  /** delegations that the thread has read so far */
  count: number
  /** whether a new simulation may use it */
  isUsable(): boolean
}

interface LoadedSnapshot extends Snapshot {
  readonly thread: SimulationThread
}

/** Answers simulations on a snapshot of all delegations, which the first one loads. One thread; at most 20 simulations wait. */
export class Simulations {
  readonly #database: Database
  #loading: Loading | undefined
  #idle: NodeJS.Timeout | undefined
  #waiting = 0

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Answers a task. Loads a snapshot first, or when the last one is older than 5 minutes.
   * @param onLoaded - receives the number of delegations read so far, while a snapshot is loaded
   * @throws {Overloaded} if 20 others wait
   * @throws {EngineUnavailable} if the database cannot be read
   */
  async answer(
    taskOf: (snapshot: Snapshot) => SimulationTask,
    signal: AbortSignal,
    onLoaded?: (count: number) => void,
  ): Promise<{ readonly answer: SimulationAnswer; readonly snapshot: Snapshot }> {
    signal.throwIfAborted()
    if (this.#waiting >= maxWaiting) throw new Overloaded(2000)
    this.#waiting++
    clearTimeout(this.#idle)
    try {
      const { thread, ...snapshot } = await this.#snapshot(signal, onLoaded)
      return { answer: await thread.answer(taskOf(snapshot), signal), snapshot }
    } finally {
      this.#waiting--
      if (this.#waiting === 0) this.#idle = setTimeout(() => this.#forget(), idleMs).unref()
    }
  }

  async #snapshot(signal: AbortSignal, onLoaded?: (count: number) => void): Promise<LoadedSnapshot> {
    if (this.#loading?.isUsable() === false) this.#forget()
    this.#loading ??= this.#load()
    const loading = this.#loading
    loading.waiting++
    const timer = onLoaded && setInterval(() => onLoaded(loading.count), 200)
    try {
      return await until(loading.snapshot, signal)
    } catch (error) {
      // the last caller that waits cancels the reading
      if (loading.waiting === 1 && this.#loading === loading) this.#forget()
      throw error
    } finally {
      clearInterval(timer)
      loading.waiting--
    }
  }

  #forget(): void {
    this.#loading?.retire()
    this.#loading = undefined
  }

  #load(): Loading {
    const ended = new AbortController()
    let state: LoadedSnapshot | 'loading' | 'failed' = 'loading'
    const loading: Loading = {
      waiting: 0,
      count: 0,
      retire: () => (typeof state === 'object' ? state.thread.retire() : ended.abort()),
      isUsable: () =>
        state === 'loading' || (state !== 'failed' && state.thread.isRunning && Date.now() - state.at.getTime() <= snapshotMs),
      snapshot: this.#read(ended.signal, (count) => {
        loading.count = count
      }),
    }
    loading.snapshot.then(
      (snapshot) => {
        state = snapshot
      },
      () => {
        state = 'failed'
      },
    )
    return loading
  }

  async #read(signal: AbortSignal, onLoaded: (count: number) => void): Promise<LoadedSnapshot> {
    const thread = new SimulationThread(onLoaded)
    const at = new Date()
    try {
      const client = await this.#database.pool.connect()
      let failure: Error | undefined
      try {
        const stream = client.query(copyTo(snapshotQuery))
        signal.addEventListener('abort', () => stream.destroy(new Error('cancelled')), { once: true })
        let waiting: Buffer[] = []
        let bytes = 0
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          waiting.push(chunk)
          bytes += chunk.length
          if (bytes < chunkBytes) continue
          await thread.load(Buffer.concat(waiting), signal)
          waiting = []
          bytes = 0
        }
        await thread.load(Buffer.concat(waiting), signal)
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
        throw error
      } finally {
        client.release(failure)
      }
      const count = await until(thread.end(), signal)
      if (count > maxDelegations)
        throw new Fault('LIMIT_EXCEEDED', `Simulations are limited to ${maxDelegations.toLocaleString('en')} delegations`)
      return { thread, at, count }
    } catch (error) {
      thread.stop()
      throw translatedError(error)
    }
  }

  /** Releases the snapshot. */
  stop(): void {
    clearTimeout(this.#idle)
    this.#forget()
  }
}

/** Rejects with the reason of the signal when it is aborted first. */
function until<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The thread that holds a snapshot, and its open tasks. */
class SimulationThread {
  isRunning = true
  #isRetired = false
  readonly #worker = new Worker(workerModule('simulation-thread', import.meta.url), {
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
  })
  readonly #tasks = new Map<number, PromiseWithResolvers<SimulationAnswer>>()
  readonly #loaded = Promise.withResolvers<number>()
  #nextId = 0
  #behind = 0

  constructor(onLoaded: (count: number) => void) {
    this.#loaded.promise.catch(() => undefined)
    this.#worker.unref()
    this.#worker.on('message', (report: SimulationReport) => {
      if (report.kind === 'read') {
        this.#behind--
        onLoaded(report.count)
        this.#worker.emit('caught up')
      } else if (report.kind === 'loaded') this.#loaded.resolve(report.count)
      else {
        const task = this.#tasks.get(report.id)
        this.#tasks.delete(report.id)
        if (report.kind === 'answer') task?.resolve(report.answer)
        else task?.reject(new Error('the simulation failed'))
      }
    })
    const fail = (): void => {
      this.isRunning = false
      const error = new EngineUnavailable('simulation', new Error('its thread has ended'))
      this.#loaded.reject(error)
      for (const task of this.#tasks.values()) task.reject(error)
      this.#tasks.clear()
      this.#worker.emit('caught up')
    }
    this.#worker.once('error', fail)
    this.#worker.once('exit', fail)
  }

  #send(message: SimulationMessage, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, [...transfer])
  }

  /** Sends rows of COPY; waits while the thread is behind. */
  async load(bytes: Buffer, signal: AbortSignal): Promise<void> {
    while (this.#behind >= maxBehind && this.isRunning) await once(this.#worker, 'caught up', { signal })
    if (!this.isRunning) throw new EngineUnavailable('simulation', new Error('its thread has ended'))
    this.#behind++
    const chunk = new Uint8Array(bytes)
    this.#send({ kind: 'chunk', chunk }, [chunk.buffer])
  }

  /** Completes the snapshot. Returns the number of delegations. */
  end(): Promise<number> {
    this.#send({ kind: 'end' })
    return this.#loaded.promise
  }

  async answer(task: SimulationTask, signal: AbortSignal): Promise<SimulationAnswer> {
    const id = this.#nextId++
    const result = Promise.withResolvers<SimulationAnswer>()
    this.#tasks.set(id, result)
    if (this.isRunning) this.#send({ kind: 'task', id, task })
    else result.reject(new EngineUnavailable('simulation', new Error('its thread has ended')))
    try {
      return await until(result.promise, AbortSignal.any([signal, AbortSignal.timeout(taskTimeoutMs)]))
    } finally {
      this.#tasks.delete(id)
      if (this.#isRetired) this.retire()
    }
  }

  /** Ends the thread after its last task. */
  retire(): void {
    this.#isRetired = true
    if (this.#tasks.size === 0) this.stop()
  }

  stop(): void {
    void this.#worker.terminate()
  }
}
