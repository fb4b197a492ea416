import { EngineUnavailable, messageOf } from '../fault.ts'
import type { Log } from '../log.ts'
import { type DoneOnce, type GrowingWaits, untilDone } from './until-done.ts'

export interface OpeningOptions {
  /** as faults call it: "database" */
  readonly engine: string
  /** Connects, and makes sure that the engine is what we need. Called again after it failed. */
  readonly open: (signal: AbortSignal) => Promise<void>
  /** whether it failed because the engine is away, rather than because a setting is wrong */
  readonly isAway: (error: unknown) => boolean
  readonly log: Log
  readonly waits?: GrowingWaits
}

/** An engine on its way to being open. */
export interface Opening extends DoneOnce {
  /** what whoever wants to use the engine gets until it is open; then undefined */
  refusal(): EngineUnavailable | undefined
}

/**
 * Opens an engine at the start, or, when it is away then, as soon as it is there: the process starts without it. An engine that is there and
 * refuses us fails the start; one that does so when it comes later is tried again, since whoever sets it up may not be done.
 */
export function opening({ engine, open, isAway, log, waits }: OpeningOptions): Opening {
  const opened = untilDone({
    name: engine,
    work: open,
    mayPass: isAway,
    onWaiting: (error) => log.warn({ engine, reason: messageOf(error) }, 'an engine is not available; trying on'),
    onDone: () => log.info({ engine }, 'an engine is available again'),
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
