import { NewerFormat } from '../../../foundation/health/newer-format.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Database } from '../database.ts'
import { type Lease, type LeaseTimes, takeLease } from './lease.ts'

export interface LeaderWaits {
  readonly times?: LeaseTimes
  /** how often a process that does not lead tries to */
  readonly tryEveryMs?: number
  /** how long it leaves the lead to others after it came to what only a newer release can do */
  readonly leaveForMs?: number
}

/** the log is told so often, at most, that the lead is left to a newer release */
const tellEveryMs = 600_000

export interface LeaderOptions extends LeaderWaits {
  /** of the work, the same in every process */
  readonly name: string
  readonly database: Database
  readonly log: Log
  /**
   * Runs until the signal is aborted: the lease is lost, or the platform stops. Each transaction that it writes in begins with
   * `lease.guard`, everything that it writes elsewhere with `lease.check`. What throws NewerFormat leaves the lead to others for a while.
   */
  readonly work: (lease: Lease, signal: AbortSignal) => Promise<void>
}

/**
 * Work that one process of all does at a time. Who is frozen, cut off or gone is replaced once the lease has expired (17 s at most), and
 * can write nothing when it comes back.
 */
export function leader({ name, database, log, work, times, tryEveryMs = 2000, leaveForMs = 30_000 }: LeaderOptions): Part {
  const stopping = new AbortController()
  let loop: Promise<void> | undefined

  const lead = async (): Promise<void> => {
    const lease = await takeLease(database, name, times)
    if (lease === undefined) return
    log.debug({ work: name }, 'this process leads')
    try {
      await work(lease, AbortSignal.any([stopping.signal, lease.signal]))
    } finally {
      await lease.release()
    }
  }

  let nextTold = 0
  /** @returns how long others have to take the lead */
  const leadOnce = async (): Promise<number> => {
    try {
      await lead()
    } catch (error) {
      if (error instanceof NewerFormat) {
        if (performance.now() >= nextTold) {
          log.warn({ work: name }, error.message)
          nextTold = performance.now() + tellEveryMs
        }
        return leaveForMs
      }
      log.debug({ err: error, work: name }, 'the lead could not be taken or kept')
    }
    return tryEveryMs
  }

  return {
    name,
    async start() {
      loop = (async () => {
        while (!stopping.signal.aborted) await pause(await leadOnce(), stopping.signal)
      })()
    },
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
