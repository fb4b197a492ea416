import { messageOf } from './fault.ts'

/** A component that is started once and stopped once. Importing its module starts nothing. */
export interface Part {
  readonly name: string
  /** @param signal - aborted when the start is cancelled */
  start(signal: AbortSignal): Promise<void>
  /** Drains and releases. Also called after a failed start, so resources may be missing. */
  stop(): Promise<void>
  /** why a started part does not serve yet, printed at the start; undefined if it does */
  readonly absence?: string | undefined
}

/**
 * Combines parts into one: starts them in order, stops them in reverse, rolls back a failed start. A failing stop does not prevent the others; errors
 * are collected.
 */
export function compose(name: string, parts: readonly Part[]): Part {
  return composed(name, parts, async (started, stop) => {
    for (const part of started.toReversed()) await stop(part)
  })
}

/** As `compose`, but stops all parts concurrently. */
export function composeConcurrently(name: string, parts: readonly Part[]): Part {
  return composed(name, parts, async (started, stop) => void (await Promise.all(started.map(stop))))
}

type StopAll = (started: readonly Part[], stop: (part: Part) => Promise<void>) => Promise<void>

function composed(name: string, parts: readonly Part[], stopAll: StopAll): Part {
  const started: Part[] = []
  const stop = async (): Promise<void> => {
    const failures: unknown[] = []
    await stopAll(started.splice(0), (part) =>
      part.stop().catch((error: unknown) => void failures.push(new Error(`${part.name}: ${messageOf(error)}`, { cause: error }))),
    )
    if (failures.length > 0) throw new AggregateError(failures, `${name} did not stop cleanly: ${failures.map(messageOf).join('; ')}`)
  }
  return {
    name,
    async start(signal) {
      try {
        for (const part of parts) {
          signal.throwIfAborted()
          started.push(part)
          await part.start(signal)
        }
      } catch (error) {
        await stop().catch(() => undefined)
        throw error
      }
    },
    stop,
  }
}

/**
 * Starts a part when `ready` resolves, without delaying the start of the process. If `ready` rejects, the part is not started.
 * @param ready - its signal is aborted when the part stops
 */
export function startWhenReady(ready: (signal: AbortSignal) => Promise<unknown>, part: Part, onError: (error: unknown) => void): Part {
  const stopping = new AbortController()
  let starting: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    await ready(stopping.signal)
    if (stopping.signal.aborted) return
    starting = part.start(stopping.signal)
    await starting
  }
  return {
    name: part.name,
    async start() {
      void begin().catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error)
      })
    },
    async stop() {
      stopping.abort()
      if (starting === undefined) return
      await starting.catch(() => undefined)
      await part.stop()
    },
  }
}

/** Resolves after `ms`, or immediately (without error) when the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/**
 * Runs `work` periodically until stopped, with `everyMs` between runs; a failing run is reported and the next one still happens. `stop` aborts the
 * signal of a running `work` and waits for it.
 * @param onError - called once per distinct reason
 * @param onWorking - called when a run succeeds after failures
 */
export function periodic(
  name: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  onWorking?: () => void,
): Part {
  const stopping = new AbortController()
  let loop: Promise<void> | undefined
  let reason: string | undefined
  const run = async (): Promise<void> => {
    try {
      await work(stopping.signal)
      if (reason !== undefined) onWorking?.()
      reason = undefined
    } catch (error) {
      if (!stopping.signal.aborted && messageOf(error) !== reason) onError(error)
      reason = messageOf(error)
    }
  }
  return {
    name,
    async start() {
      loop = (async () => {
        while (!stopping.signal.aborted) {
          await run()
          await pause(everyMs, stopping.signal)
        }
      })()
    },
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
