import { credentialHeaders } from '../sign-in/credentials.ts'
import { type Problem, problemOf } from '../words/problem.ts'
import type { PreparedOperation } from './prepared.ts'
import { type ReceivedResult, send } from './send.ts'

/** The state of a run. */
export interface Run {
  readonly kind: PreparedOperation['kind']
  readonly isRunning: boolean
  /** newest last: one response, or the last hundred events of a subscription */
  readonly arrived: readonly (ReceivedResult & { readonly afterMs: number })[]
  /** number received so far */
  readonly count: number
  readonly problem?: Problem | undefined
}

const maxEvents = 100

/** The runs of all documents. */
export class Runs {
  readonly #runs = new Map<string, Run>()
  readonly #stops = new Map<string, AbortController>()
  readonly #changed: () => void

  /** @param changed - called after each change */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  of(document: string): Run | undefined {
    return this.#runs.get(document)
  }

  /** Records why nothing was sent. */
  refuse(document: string, problem: Problem): void {
    this.stop(document)
    this.#set(document, { kind: 'query', isRunning: false, arrived: [], count: 0, problem })
  }

  /** Runs an operation and stops the document's previous run. */
  async start(document: string, operation: PreparedOperation): Promise<void> {
    this.stop(document)
    const stop = new AbortController()
    this.#stops.set(document, stop)
    const startedAt = performance.now()
    let run: Run = { kind: operation.kind, isRunning: true, arrived: [], count: 0 }
    const publish = (more: Partial<Run>): void => {
      run = { ...run, ...more }
      if (this.#stops.get(document) === stop) this.#set(document, run)
    }
    publish({})
    try {
      const headers = { ...(await credentialHeaders()), ...operation.headers }
      for await (const each of send({ ...operation, headers }, stop.signal)) {
        if (stop.signal.aborted) break
        const now = { ...each, afterMs: performance.now() - startedAt }
        const isEvent = operation.kind === 'subscription'
        publish({ arrived: isEvent ? [...run.arrived, now].slice(-maxEvents) : [now], count: isEvent ? run.count + 1 : 1 })
      }
      publish({ isRunning: false })
    } catch (error) {
      publish({ isRunning: false, ...(!stop.signal.aborted && { problem: problemOf(error) }) })
    }
  }

  /** Stops a run; its responses stay. */
  stop(document: string): void {
    this.#stops.get(document)?.abort()
    const run = this.#runs.get(document)
    if (run?.isRunning) this.#set(document, { ...run, isRunning: false })
  }

  /** Removes the run of a closed document. */
  forget(document: string): void {
    this.stop(document)
    this.#runs.delete(document)
    this.#stops.delete(document)
  }

  #set(document: string, run: Run): void {
    this.#runs.set(document, run)
    this.#changed()
  }
}
