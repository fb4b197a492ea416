import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { fenced, LeaseLost, takeLease } from '../../../engines/relational/leadership/lease.ts'
import { oneAtATime } from '../../../engines/relational/leadership/one-at-a-time.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'
import { type Gate, openGate } from '../../support/processes/gate.ts'

const times = { expiresMs: 1500, renewEveryMs: 300, answerLimitMs: 1000 }
const signal = (): AbortSignal => AbortSignal.timeout(60_000)

describe.each(relationalEngines())('a lease on $name', (engine) => {
  let fresh: Awaited<ReturnType<typeof openMigrated>>
  let gate: Gate
  /** connects through the gate */
  let behindGate: Database
  beforeAll(async () => {
    fresh = await openMigrated(engine)
    await fresh.database.orm.execute(sql`create table written (by text not null)`)
    gate = await openGate(fresh.url)
    behindGate = openDatabase({ name: 'test', url: () => gate.url, poolSize: 4, log })
    await behindGate.start(signal())
  })
  afterAll(async () => {
    gate?.open()
    await behindGate?.stop()
    await gate?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })
  const write = (database: Database, by: string) => database.transaction((tx) => tx.execute(sql`insert into written values (${by})`))
  const written = async (by: string) => Number((await fresh.database.orm.execute(sql`select from written where by = ${by}`)).rowCount)

  it('belongs to one process at a time, to the next after its release, and lasts while it is renewed', async () => {
    const first = (await takeLease(behindGate, 'kept', times)) ?? expect.fail()
    expect(await takeLease(fresh.database, 'kept', times)).toBeUndefined()
    await sleep(2 * times.expiresMs)
    expect(await takeLease(fresh.database, 'kept', times)).toBeUndefined()
    first.check()
    await first.release()
    expect(() => first.check()).toThrow(LeaseLost)
    const second = (await takeLease(fresh.database, 'kept', times)) ?? expect.fail()
    await second.release()
  })

  it('passes on from a disconnected holder, which detects this and can write nothing after it reconnects', async () => {
    const first = (await takeLease(behindGate, 'cut', times)) ?? expect.fail()
    await write(fenced(behindGate, first), 'first')
    gate.freeze()
    const second = await expect
      .poll(() => takeLease(fresh.database, 'cut', times))
      .toBeDefined()
      .then(() => takeLease(fresh.database, 'cut', times))
    expect(second).toBeUndefined()
    expect(() => first.check()).toThrow(LeaseLost)
    expect(first.signal.aborted).toBe(true)
    gate.open()
    await expect(write(fenced(behindGate, first), 'late')).rejects.toThrow()
    expect([await written('first'), await written('late')]).toEqual([1, 0])
    await first.release()
  })

  it('is refused by the server to a holder that does not know yet that it was replaced', async () => {
    const first = (await takeLease(behindGate, 'fence', { ...times, expiresMs: 60_000 })) ?? expect.fail()
    // as if the lease had expired while its holder was frozen
    await fresh.database.orm.execute(sql`update lease set expires_at = now() where name = 'fence'`)
    const second = (await takeLease(fresh.database, 'fence', times)) ?? expect.fail()
    await expect(write(fenced(behindGate, first), 'stale')).rejects.toThrow(LeaseLost)
    await write(fenced(fresh.database, second), 'new')
    expect([await written('stale'), await written('new')]).toEqual([0, 1])
    await first.release()
    second.check()
    await second.release()
  })

  it('waits for a write of its holder, and for a frozen holder no longer than the duration of a lease', async () => {
    const first = (await takeLease(fresh.database, 'writing', times)) ?? expect.fail()
    const started = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const writing = fenced(fresh.database, first).transaction(async (tx) => {
      started.resolve()
      await go.promise
      await tx.execute(sql`insert into written values ('frozen')`)
    })
    writing.catch(() => undefined)
    await started.promise
    await fresh.database.orm.execute(sql`update lease set expires_at = now() where name = 'writing'`)
    await expect.poll(() => takeLease(behindGate, 'writing', times).then((lease) => lease !== undefined)).toBe(true)
    go.resolve()
    await expect(writing).rejects.toThrow()
    expect(await written('frozen')).toBe(0)
    await first.release()
  })

  it('lets the work of a killed process restart after its lease expires', async () => {
    await fresh.database.orm.execute(sql`
      insert into lease (name, holder, expires_at) values ('killed', gen_random_uuid(), clock_timestamp() + interval '1 second')`)
    expect(await oneAtATime(fresh.database, 'killed', 'It is being done already', async () => 'done', times)).toBe('done')
  })

  it('refuses a second run of the same name with a message, and admits it afterwards', async () => {
    const [busy, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const work = (): Promise<void> => {
      started.resolve()
      return busy.promise
    }
    const first = oneAtATime(fresh.database, 'once', 'It is being done already', work, times)
    await started.promise
    await expect(oneAtATime(behindGate, 'once', 'It is being done already', async () => 'done')).rejects.toThrow('It is being done already')
    busy.resolve()
    await first
    expect(await oneAtATime(behindGate, 'once', 'It is being done already', async () => 'done')).toBe('done')
  })
})
