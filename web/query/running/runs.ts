import { credentialHeaders } from '../sign-in/credentials.ts'
import type { Prepared } from './prepared.ts'
import { type Problem, problemOf } from './problem.ts'
import { type Arrived, send } from './send.ts'

/** What has come of an operation. */
export interface Run {
  readonly kind: Prepared['kind']
  readonly isRunning: boolean
  /** the newest last: one answer, or the events of a subscription, of which the last hundred are kept */
  readonly arrived: readonly (Arrived & { readonly afterMs: number })[]
  /** how many have come */
  readonly count: number
  readonly problem?: Problem | undefined
}

const mostEvents = 100

/** The operations that run, and what came of those that have, by document. */
export class Runs {
  readonly #runs = new Map<string, Run>()
  readonly #stops = new Map<string, AbortController>()
  readonly #changed: () => void

  /** @param changed - is called after each change */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  of(document: string): Run | undefined {
    return this.#runs.get(document)
  }

  /** Says why nothing was sent. */
  refuse(document: string, problem: Problem): void {
    this.stop(document)
    this.#set(document, { kind: 'query', isRunning: false, arrived: [], count: 0, problem })
  }

  /** Runs an operation instead of the one before it in the same document. */
  async start(document: string, operation: Prepared): Promise<void> {
    this.stop(document)
    const stop = new AbortController()
    this.#stops.set(document, stop)
    const startedAt = performance.now()
    let run: Run = { kind: operation.kind, isRunning: true, arrived: [], count: 0 }
    const tell = (more: Partial<Run>): void => {
      run = { ...run, ...more }
      if (this.#stops.get(document) === stop) this.#set(document, run)
    }
    tell({})
    try {
      const headers = { ...(await credentialHeaders()), ...operation.headers }
      for await (const each of send({ ...operation, headers }, stop.signal)) {
        if (stop.signal.aborted) break
        const now = { ...each, afterMs: performance.now() - startedAt }
        const isEvent = operation.kind === 'subscription'
        tell({ arrived: isEvent ? [...run.arrived, now].slice(-mostEvents) : [now], count: isEvent ? run.count + 1 : 1 })
      }
      tell({ isRunning: false })
    } catch (error) {
      tell({ isRunning: false, ...(!stop.signal.aborted && { problem: problemOf(error) }) })
    }
  }

  /** What has come so far stays. */
  stop(document: string): void {
    this.#stops.get(document)?.abort()
    const run = this.#runs.get(document)
    if (run?.isRunning) this.#set(document, { ...run, isRunning: false })
  }

  /** The document is closed. */
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
