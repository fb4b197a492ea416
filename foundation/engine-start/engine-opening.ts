import { EngineUnavailable, messageOf } from '../fault.ts'
import type { Log } from '../log.ts'
import { type BackoffLimits, type RetriedWork, retryUntilDone } from './retry-until-done.ts'

/** An engine is available but unusable until an operator changes it or its setting; a retry does not help. */
export class EngineRefusal extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'EngineRefusal'
  }
}

/**
 * @param version - reported by the engine: "7.2.4"; accepted if it does not begin with a number
 * @param oldest - minimum major version
 * @throws {EngineRefusal} one sentence
 */
export function refuseOld(engine: string, version: string, oldest: number): void {
  if (Number.parseInt(version, 10) < oldest)
    throw new EngineRefusal(`${engine} ${version} is too old: version ${oldest} or newer is required`)
}

export interface OpeningOptions {
  /** name in error messages: "database" */
  readonly engine: string
  /** Connects and checks that the engine is usable. Called again after a failure. */
  readonly open: (signal: AbortSignal) => Promise<void>
  /** whether an error means that the engine is unavailable, rather than misconfigured */
  readonly isUnavailable: (error: unknown) => boolean
  readonly log: Log
  readonly waits?: BackoffLimits
}

/** An engine that is being opened. */
export interface EngineOpening extends RetriedWork {
  /** Returns the error for callers until the engine is open, then undefined. */
  refusal(): EngineUnavailable | undefined
}

/**
 * Opens an engine at the start, or as soon as it becomes available: the process starts without it. If the engine is available and refuses the
 * connection, the start fails; a refusal later on is retried, since its operator may still be setting it up.
 */
export function opening({ engine, open, isUnavailable, log, waits }: OpeningOptions): EngineOpening {
  const opened = retryUntilDone({
    name: engine,
    work: open,
    isTransient: isUnavailable,
    onWaiting: (error) => log.warn({ engine, reason: messageOf(error) }, 'engine unavailable, retrying'),
    onDone: () => log.info({ engine }, 'engine available'),
    ...(waits && { waits }),
  })
  return {
    name: engine,
    get absence() {
      return opened.absence
    },
    start: (signal) => opened.start(signal),
    stop: () => opened.stop(),
    refusal: () => (opened.absence === undefined ? undefined : new EngineUnavailable(engine, new Error(opened.absence))),
  }
}
