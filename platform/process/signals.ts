import { messageOf } from '../../foundation/fault.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'

/** Under npm Ctrl-C arrives twice: from the terminal, which signals every process, and forwarded by npm. */
const echoMs = 500

/** Calls `onSignal` for each SIGINT and SIGTERM, once for duplicates. @returns unsubscribes */
export function onStopSignal(onSignal: () => void): () => void {
  let signalledAt = Number.NEGATIVE_INFINITY
  const onStop = (): void => {
    const now = performance.now()
    if (now - signalledAt < echoMs) return
    signalledAt = now
    onSignal()
  }
  process.on('SIGINT', onStop).on('SIGTERM', onStop)
  return () => void process.off('SIGINT', onStop).off('SIGTERM', onStop)
}

/** Calls `onReload` for each SIGHUP, which would otherwise end the process. */
export function reloadSignal(onReload: () => void): Part {
  return {
    name: 'reload signal',
    async start() {
      process.on('SIGHUP', onReload)
    },
    async stop() {
      process.off('SIGHUP', onReload)
    },
  }
}

/** Time limit of a drain after its delay: listeners finish requests in up to 10 s, then workers finish or return jobs in up to 12 s. */
const forcedMs = 25_000

/** Starts the platform and runs it until the first SIGTERM or SIGINT, which drains; the second ends the process immediately. */
export async function runUntilSignal(
  part: Part,
  { log, drainDelayMs }: { readonly log: Log; readonly drainDelayMs: number },
  onReady: () => void,
): Promise<void> {
  const starting = new AbortController()
  let stopping = false
  const stop = async (code: number): Promise<never> => {
    stopping = true
    const from = performance.now()
    const forced = setTimeout(() => {
      log.error({ afterMs: drainDelayMs + forcedMs }, 'draining did not end in time; exiting')
      process.exit(1)
    }, drainDelayMs + forcedMs)
    try {
      await part.stop()
      log.info({ durationMs: Math.round(performance.now() - from) }, 'draining ended; every part has stopped')
    } catch (error) {
      log.error({ err: error }, 'the platform did not stop cleanly')
      code ||= 1
    }
    clearTimeout(forced)
    process.exit(code)
  }
  const onSignal = (): void => {
    if (stopping || starting.signal.aborted) process.exit(1)
    if (ready) {
      log.info({}, 'draining; a second signal ends the process immediately')
      void stop(0)
    } else starting.abort(new Error('stopped while starting'))
  }
  const onBug = (error: unknown): void => {
    log.fatal({ err: error }, 'unexpected error, exiting')
    if (!stopping) void stop(1)
  }
  let ready = false
  onStopSignal(onSignal)
  process.on('uncaughtException', onBug).on('unhandledRejection', onBug)
  try {
    await part.start(starting.signal)
  } catch (error) {
    if (!starting.signal.aborted) process.stderr.write(`${messageOf(error)}\n`)
    process.exit(starting.signal.aborted ? 0 : 1)
  }
  ready = true
  if (starting.signal.aborted) await stop(0)
  onReady()
}
