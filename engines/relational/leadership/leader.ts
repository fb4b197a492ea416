import { NewerFormat } from '../../../foundation/health/newer-format.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import type { Database } from '../database.ts'
import { type Lease, type LeaseTimes, takeLease } from './lease.ts'

export interface LeaderWaits {
  readonly times?: LeaseTimes
  /** interval at which other processes try to become the leader */
  readonly tryEveryMs?: number
  /** how long it leaves the lead to other processes after it met work for a newer release */
  readonly leaveForMs?: number
}

/** minimum interval of log lines about leaving the lead to a newer release */
const logEveryMs = 600_000

export interface LeaderOptions extends LeaderWaits {
  /** name of the work, the same in every process */
  readonly name: string
  readonly database: Database
  readonly log: Log
  /**
   * Runs until the signal is aborted (lease lost, or stop). Each write transaction begins with `lease.guard`, every other write with `lease.check`.
   * On NewerFormat the lead is left to other processes for a while.
   */
  readonly work: (lease: Lease, signal: AbortSignal) => Promise<void>
}

/**
 * Runs work in one process at a time. A frozen, disconnected or dead leader is replaced when its lease has expired (17 s at most), and cannot write
 * when it returns.
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

  let nextLogAt = 0
  /** @returns the delay before the next attempt */
  const leadOnce = async (): Promise<number> => {
    try {
      await lead()
    } catch (error) {
      if (error instanceof NewerFormat) {
        if (performance.now() >= nextLogAt) {
          log.warn({ work: name }, error.message)
          nextLogAt = performance.now() + logEveryMs
        }
        return leaveForMs
      }
      log.debug({ err: error, work: name }, 'could not acquire or renew the lead')
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
