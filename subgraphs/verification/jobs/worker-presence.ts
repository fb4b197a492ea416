import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database } from '../../../engines/relational/database.ts'
import { eq, sql } from '../../../engines/relational/drizzle.ts'
import { type Part, periodic } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { verificationWorker } from '../tables.ts'

const heartbeatMs = 5000
/** condition for a row of verification_worker */
export const isAlive = sql`seen_at > now() - interval '15 seconds'`
/** weight of the newest job in the moving average */
const smoothing = 0.1

/** One worker process for the others: its id, heartbeat and average job duration. */
export class WorkerPresence {
  /** host-pid-4 hex digits */
  readonly id = `${hostname().slice(0, 40)}-${process.pid}-${randomBytes(2).toString('hex')}`
  #meanJobMs: number | undefined

  noteJob(durationMs: number): void {
    this.#meanJobMs = this.#meanJobMs === undefined ? durationMs : this.#meanJobMs + smoothing * (durationMs - this.#meanJobMs)
  }

  /** Writes a heartbeat every 5 s while it runs and removes it on stop. Rows of dead workers are removed after a day. */
  heartbeat(database: Database, concurrency: number, log: Log): Part {
    const { id } = this
    const beat = async (): Promise<void> => {
      const seen = { seenAt: sql`now()`, concurrency, meanJobMs: this.#meanJobMs ?? null }
      await database.orm
        .insert(verificationWorker)
        .values({ id, ...seen })
        .onConflictDoUpdate({ target: verificationWorker.id, set: seen })
      await database.orm.delete(verificationWorker).where(sql`${verificationWorker.seenAt} < now() - interval '1 day'`)
    }
    const beating = periodic('worker heartbeat', heartbeatMs, beat, (error) => log.warn({ err: error }, 'the heartbeat failed'))
    return {
      name: beating.name,
      start: (signal) => beating.start(signal),
      async stop() {
        await beating.stop()
        await database.orm
          .update(verificationWorker)
          .set({ seenAt: sql`now() - interval '1 minute'` })
          .where(eq(verificationWorker.id, id))
          .catch((error: unknown) => log.warn({ err: error }, 'the worker could not deregister; its heartbeat will expire'))
      },
    }
  }
}
