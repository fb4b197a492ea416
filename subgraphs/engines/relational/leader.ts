import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { Database } from './database.ts'

export interface LeaderWaits {
  /** how often a process that does not lead tries to */
  readonly tryEveryMs?: number
  /** how often the one that leads asks whether its connection still lives */
  readonly proveEveryMs?: number
  /** an answer that takes longer is none */
  readonly answerLimitMs?: number
}

/**
 * Work that one process of all does at a time: whoever holds an advisory lock, for as long as the connection that holds it lives. The
 * lock is no fence: a process that has lost it may not know so for 10 s, so the work must bear being done twice.
 * @param lock - one of `advisoryLocks`
 * @param work - runs until its signal is aborted: the lock is lost, or the platform stops
 */
export function leader(
  name: string,
  database: Database,
  lock: number,
  work: (signal: AbortSignal) => Promise<void>,
  log: Log,
  { tryEveryMs = 2000, proveEveryMs = 5000, answerLimitMs = 5000 }: LeaderWaits = {},
): Part {
  const stopping = new AbortController()
  let loop: Promise<void> | undefined

  const lead = async (): Promise<void> => {
    const connection = await database.pool.connect()
    const lost = new AbortController()
    const onLost = (): void => lost.abort()
    connection.on('error', onLost).on('end', onLost)
    const ask = async (statement: string): Promise<boolean> => {
      const { rows } = await withTimeout(
        connection.query<{ yes: boolean }>(statement),
        answerLimitMs,
        undefined,
        () => new Error('no answer'),
      )
      return rows[0]?.yes === true
    }
    const prove = async (until: AbortSignal): Promise<void> => {
      for (await pause(proveEveryMs, until); !until.aborted; await pause(proveEveryMs, until)) await ask('select true as yes')
    }
    const until = AbortSignal.any([stopping.signal, lost.signal])
    let mayHoldLock = true
    try {
      mayHoldLock = await ask(`select pg_try_advisory_lock(${lock}) as yes`)
      if (!mayHoldLock) return
      log.debug({ work: name }, 'this process leads')
      const proving = prove(until).catch(onLost)
      await work(until)
      lost.abort()
      await proving
    } finally {
      connection.off('error', onLost).off('end', onLost)
      // a connection that may hold the lock, also one that has not answered, is closed, and the lock goes with it
      connection.release(mayHoldLock || lost.signal.aborted)
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
