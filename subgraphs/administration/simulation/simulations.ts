import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { to as copyTo } from 'pg-copy-streams'
import type { Database } from '../../../engines/relational/database.ts'
import { ne, sum } from '../../../engines/relational/drizzle.ts'
import { translatedError } from '../../../engines/relational/query-errors.ts'
import { Semaphore } from '../../../foundation/concurrency/semaphore.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { DeadlineExceeded, EngineUnavailable, Fault, Overloaded } from '../../../foundation/fault.ts'
import { workerModule } from '../../../foundation/process/build-info.ts'
import { delegationCount } from '../tables.ts'
import type { SimulationAnswer, SimulationMessage, SimulationReport, SimulationTask } from './simulation-thread.ts'

/** a scenario is compared on the same delegations for this long; then they are read again */
const snapshotMs = 300_000
/** memory of a million delegations is returned when no simulation has run for this long */
const idleMs = 600_000
const taskTimeoutMs = 30_000
const loadTimeoutMs = 60_000
const progressMs = 200
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

/** Progress of loading a snapshot. */
export interface SimulationLoad {
  /** delegations read so far */
  readonly read: number
  /** number of stored delegations */
  readonly total: number
  /** whether simulations can run on it */
  readonly isLoaded: boolean
}

interface SnapshotLoad {
  /** delegations that the thread has read so far */
  read: number
  readonly snapshot: Promise<LoadedSnapshot>
  readonly ended: AbortController
  /** undefined while it is read */
  loaded: LoadedSnapshot | undefined
  /** number of callers that wait */
  waiting: number
}

interface LoadedSnapshot extends Snapshot {
  readonly thread: SimulationThread
}

/** Answers simulations on a snapshot of all delegations, which the first one loads. One thread; at most 20 simulations wait. */
export class Simulations {
  readonly #database: Database
  #loading: SnapshotLoad | undefined
  #idle: NodeJS.Timeout | undefined
  #waiting = 0

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Answers a task. Loads a snapshot first, or when the last one is older than 5 minutes.
   * @throws {Overloaded} if 20 others wait
   * @throws {EngineUnavailable} if the database cannot be read
   */
  async answer(
    taskOf: (snapshot: Snapshot) => SimulationTask,
    signal: AbortSignal,
  ): Promise<{ readonly answer: SimulationAnswer; readonly snapshot: Snapshot }> {
    this.#enter(signal)
    try {
      const { thread, ...snapshot } = await this.#snapshot(signal)
      return { answer: await thread.answer(taskOf(snapshot), signal), snapshot }
    } finally {
      this.#leave()
    }
  }

  /**
   * Loads a snapshot and reports its progress; the last event follows when simulations can run on it. A consumer that returns cancels the reading,
   * unless other callers wait for it.
   * @throws {Overloaded} if 20 others wait
   * @throws {EngineUnavailable} if the database cannot be read
   */
  async *load(signal: AbortSignal): AsyncGenerator<SimulationLoad> {
    this.#enter(signal)
    const abandoned = new AbortController()
    try {
      const snapshot = this.#snapshot(AbortSignal.any([signal, abandoned.signal]))
      snapshot.catch(() => undefined)
      const total = await countStored(this.#database)
      for (;;) {
        const loaded = await Promise.race([snapshot, sleep(progressMs, undefined, { signal })])
        if (loaded !== undefined) break
        yield { read: this.#loading?.read ?? 0, total, isLoaded: false }
      }
      const { count } = await snapshot
      yield { read: count, total: count, isLoaded: false }
      yield { read: count, total: count, isLoaded: true }
    } finally {
      abandoned.abort()
      this.#leave()
    }
  }

  /** @throws {Overloaded} */
  #enter(signal: AbortSignal): void {
    signal.throwIfAborted()
    if (this.#waiting >= maxWaiting) throw new Overloaded(2000)
    this.#waiting++
    clearTimeout(this.#idle)
  }

  #leave(): void {
    this.#waiting--
    if (this.#waiting === 0) this.#idle = setTimeout(() => this.#forget(), idleMs).unref()
  }

  async #snapshot(signal: AbortSignal): Promise<LoadedSnapshot> {
    if (this.#loading?.loaded !== undefined && !isUsable(this.#loading.loaded)) this.#forget()
    this.#loading ??= this.#load()
    const loading = this.#loading
    loading.waiting++
    try {
      return await within(loading.snapshot, loadTimeoutMs, signal)
    } catch (error) {
      // the last caller that waits cancels the reading
      if (loading.waiting === 1 && this.#loading === loading) this.#forget()
      throw error
    } finally {
      loading.waiting--
    }
  }

  #forget(): void {
    const { loaded, ended } = this.#loading ?? {}
    if (loaded === undefined) ended?.abort()
    else loaded.thread.retire()
    this.#loading = undefined
  }

  #load(): SnapshotLoad {
    const ended = new AbortController()
    const onRead = (count: number): void => {
      loading.read = count
    }
    const loading: SnapshotLoad = { waiting: 0, read: 0, ended, loaded: undefined, snapshot: this.#read(ended.signal, onRead) }
    loading.snapshot.then(
      (snapshot) => {
        loading.loaded = snapshot
      },
      () => {
        if (this.#loading === loading) this.#loading = undefined
      },
    )
    return loading
  }

  async #read(signal: AbortSignal, onRead: (count: number) => void): Promise<LoadedSnapshot> {
    const thread = new SimulationThread(onRead)
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
      const count = await within(thread.end(), taskTimeoutMs, signal)
      if (count > maxDelegations)
        throw new Fault('LIMIT_EXCEEDED', `Simulations are limited to ${maxDelegations.toLocaleString('en')} delegations`)
      return { thread, at, count }
    } catch (error) {
      thread.stop()
      throw translatedError(error)
    }
  }
}

/** Returns the number of delegations that a snapshot contains. */
async function countStored({ orm }: Database): Promise<number> {
  const [row] = await orm
    .select({ total: sum(delegationCount.count) })
    .from(delegationCount)
    .where(ne(delegationCount.status, 'revoked'))
  return Number(row?.total ?? 0)
}

const isUsable = ({ thread, at }: LoadedSnapshot): boolean => thread.isRunning && Date.now() - at.getTime() <= snapshotMs

/** Returns the outcome of a promise. Throws the reason of the signal, or DeadlineExceeded after a time. */
const within = <Value>(promise: Promise<Value>, ms: number, signal: AbortSignal): Promise<Value> =>
  withTimeout(promise, ms, signal, () => (signal.aborted ? signal.reason : new DeadlineExceeded()))

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
  /** Tasks wait here rather than in the thread, so that those of callers that have left are never run. */
  readonly #turns = new Semaphore(1)
  #nextId = 0
  /** callers that wait for an answer */
  #open = 0
  #behind = 0

  /** @param onRead - receives the number of delegations read so far */
  constructor(onRead: (count: number) => void) {
    this.#loaded.promise.catch(() => undefined)
    this.#worker.unref()
    this.#worker.on('message', (report: SimulationReport) => {
      if (report.kind === 'read') {
        this.#behind--
        onRead(report.count)
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
    const abandoned = new AbortController()
    // the turn lasts until the thread has answered, also when the caller has left
    const answer = this.#turns.hold(() => this.#run(task), AbortSignal.any([signal, abandoned.signal]))
    this.#open++
    try {
      return await within(answer, taskTimeoutMs, signal)
    } finally {
      this.#open--
      abandoned.abort()
      answer.catch(() => undefined)
      if (this.#isRetired) this.retire()
    }
  }

  async #run(task: SimulationTask): Promise<SimulationAnswer> {
    if (!this.isRunning) throw new EngineUnavailable('simulation', new Error('its thread has ended'))
    const id = this.#nextId++
    const result = Promise.withResolvers<SimulationAnswer>()
    this.#tasks.set(id, result)
    this.#send({ kind: 'task', id, task })
    return result.promise
  }

  /** Ends the thread after its last task. */
  retire(): void {
    this.#isRetired = true
    if (this.#open === 0) this.stop()
  }

  stop(): void {
    void this.#worker.terminate()
  }
}
