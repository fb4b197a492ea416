import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { leader } from '../../../engines/relational/leadership/leader.ts'
import { fenced, type Lease } from '../../../engines/relational/leadership/lease.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { openGate } from '../../support/processes/gate.ts'

const waits = { tryEveryMs: 50, times: { expiresMs: 600, renewEveryMs: 150, answerLimitMs: 100 } }
const signal = (): AbortSignal => AbortSignal.timeout(60_000)

for (const engine of relationalEngines()) {
  describe(`the lead on ${engine.name}`, () => {
    it('is not retained by a process that requested it while the server was frozen', async () => {
      await using open = new AsyncDisposableStack()
      const fresh = open.use(await openMigrated(engine))
      const gate = open.use(await openGate(fresh.url))
      const connect = async (url: string) => {
        const database = openDatabase({ name: 'test', url: () => url, poolSize: 1, log, connectLimitMs: 3_000 })
        open.defer(() => database.stop())
        await database.start(signal())
        return database
      }
      const [frozen, direct] = [await connect(gate.url), await connect(fresh.url)]
      gate.freeze()
      const first = leader({ name: 'work', database: frozen, work: (_, until) => pause(60_000, until), log, ...waits })
      await first.start(signal())
      await sleep(300)
      await first.stop()
      gate.open()
      await expect.poll(() => frozen.health(signal())).toBeUndefined()

      const leads = Promise.withResolvers<true>()
      const second = leader({ name: 'work', database: direct, work: async () => leads.resolve(true), log, ...waits })
      await second.start(signal())
      open.defer(() => second.stop())
      // its other work continues
      const busy = (async () => {
        for (let n = 0; n < 300; n++) await Promise.all([frozen.health(signal()).catch(() => undefined), sleep(50)])
        return false
      })()
      expect(await Promise.race([leads.promise, busy])).toBe(true)
    })

    it('is not taken beside a leading process of 1.0, and is released to one that starts to lead', async () => {
      await using open = new AsyncDisposableStack()
      const { database } = open.use(await openMigrated(engine))
      const first = await database.pool.connect()
      open.defer(() => first.release(true))
      const asFirstRelease = async (): Promise<boolean> =>
        (await first.query<{ taken: boolean }>('select pg_try_advisory_lock(7310001) as taken')).rows[0]?.taken === true
      expect(await asFirstRelease()).toBe(true)
      let written = 0
      const work = async (lease: Lease, until: AbortSignal): Promise<void> => {
        for (; !until.aborted; written++) {
          await fenced(database, lease).transaction(async (tx) => void (await tx.execute(sql`select 1`)))
          await pause(5, until)
        }
      }
      const second = leader({ name: 'roll-ups', database, work, log, ...waits })
      await second.start(signal())
      open.defer(() => second.stop())
      const leaseCount = async () => (await database.pool.query("select from lease where name = 'roll-ups'")).rowCount
      expect([await leaseCount(), written]).toEqual([0, 0])
      await first.query('select pg_advisory_unlock_all()')
      await expect.poll(() => written).toBeGreaterThan(3)
      await expect.poll(asFirstRelease).toBe(true)
      const atHandover = written
      await expect
        .poll(async () => (await database.pool.query("select from lease where name = 'roll-ups' and expires_at > now()")).rowCount)
        .toBe(0)
      expect(written).toBeLessThanOrEqual(atHandover + 1)
    })
  })
}
