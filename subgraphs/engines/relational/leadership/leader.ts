import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Database } from '../database.ts'
import { type Lease, type LeaseTimes, takeLease } from './lease.ts'

export interface LeaderWaits {
  readonly times?: LeaseTimes
  /** how often a process that does not lead tries to */
  readonly tryEveryMs?: number
}

export interface LeaderOptions extends LeaderWaits {
  /** of the work, the same in every process */
  readonly name: string
  readonly database: Database
  readonly log: Log
  /**
   * Runs until the signal is aborted: the lease is lost, or the platform stops. Each transaction that it writes in begins with
   * `lease.guard`, everything that it writes elsewhere with `lease.check`.
   */
  readonly work: (lease: Lease, signal: AbortSignal) => Promise<void>
}

/**
 * Work that one process of all does at a time. Who is frozen, cut off or gone is replaced once the lease has expired (17 s at most), and
 * can write nothing when it comes back.
 */
export function leader({ name, database, log, work, times, tryEveryMs = 2000 }: LeaderOptions): Part {
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

  return {
    name,
    async start() {
      loop = (async () => {
        while (!stopping.signal.aborted) {
          await lead().catch((error: unknown) => log.debug({ err: error, work: name }, 'the lead could not be taken or kept'))
          await pause(tryEveryMs, stopping.signal)
        }
      })()
    },
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
