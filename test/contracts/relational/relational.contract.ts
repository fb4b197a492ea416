import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { DeadlineExceeded, EngineUnavailable } from '../../../foundation/fault.ts'
import { silentLog } from '../../../foundation/log.ts'
import { openGate } from '../../support/processes/gate.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

/** @param open - returns an empty database and its disposal */
export function relationalContract(name: string, open: () => Promise<AsyncDisposable & { readonly url: string }>): void {
  describe(`relational: ${name}`, () => {
    let fresh: AsyncDisposable & { readonly url: string }
    const opened: Database[] = []
    const connect = async (
      url = fresh.url,
      limits: { readonly poolSize?: number; readonly connectLimitMs?: number } = {},
    ): Promise<Database> => {
      const database = openDatabase({ name: 'test', url: () => url, poolSize: 5, log: silentLog, ...limits })
      opened.push(database)
      await database.start(signal())
      return database
    }
    let database: Database
    beforeAll(async () => {
      fresh = await open()
      database = await connect()
      await database.orm.execute(sql`create table note (id integer primary key, word text not null)`)
    })
    afterAll(async () => {
      for (const each of opened) await each.stop()
      await fresh[Symbol.asyncDispose]()
    })
    const count = async (): Promise<unknown> =>
      (await database.orm.execute<{ n: number }>(sql`select count(*)::int as n from note`)).rows[0]?.n

    it('commits all changes of a transaction, or none of them', async () => {
      const before = await count()
      await database.transaction((tx) => tx.execute(sql`insert into note values (1, 'kept')`))
      const failing = database.transaction(async (tx) => {
        await tx.execute(sql`insert into note values (2, 'lost')`)
        throw new Error('changed its mind')
      })
      await expect(failing).rejects.toThrow('changed its mind')
      expect(await count()).toBe(Number(before) + 1)
    })

    it.each([
      [60_000, 'The clock of this machine is 60 s ahead of that of the database'],
      [-60_000, 'The clock of this machine is 60 s behind that of the database'],
    ])('reports in health that the clocks differ by %i ms', async (apartMs, sentence) => {
      await database.health(signal())
      const clock = vi.spyOn(Date, 'now')
      try {
        clock.mockImplementation(() => performance.timeOrigin + performance.now() + apartMs)
        await expect(database.health(signal())).rejects.toThrow(sentence)
      } finally {
        clock.mockRestore()
      }
      await database.health(signal())
    })

    it('names the violated rule of a statement, and no value', async () => {
      await database.orm.execute(sql`insert into note values (10, 'once')`)
      const twice = database.orm.execute(sql`insert into note values (10, ${'SECRET'})`)
      await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'note_pkey', table: 'note' })
      const absent = database.transaction((tx) => tx.execute(sql`insert into note values (11, ${null})`))
      await expect(absent).rejects.toMatchObject({ code: '23502' })
      for (const wrong of [twice, absent, database.orm.execute(sql`select ${'SECRET'}::text::integer`)]) {
        const error: unknown = await wrong.catch((thrown: unknown) => thrown)
        expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET')
      }
    })

    it('is unavailable for callers that find no free connection in time, and recovers', { timeout: 120_000 }, async () => {
      const small = await connect(fresh.url, { poolSize: 1, connectLimitMs: 300 })
      const free = Promise.withResolvers<void>()
      const long = small.transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        await free.promise
      })
      await expect(small.orm.execute(sql`select 1`)).rejects.toThrow(EngineUnavailable)
      free.resolve()
      await long
      await expect(small.health(signal())).resolves.toBeUndefined()
    })

    it('is unavailable, not broken, while the server is unreachable or closes its connections; then works again by itself', {
      timeout: 120_000,
    }, async () => {
      await using gate = await openGate(fresh.url)
      const through = await connect(gate.url)
      const pid = async (): Promise<number> => Number((await through.orm.execute(sql`select pg_backend_pid() as pid`)).rows[0]?.pid)
      const cutOff = through.transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        gate.cut()
        await tx.execute(sql`select 1`)
      })
      await expect(cutOff).rejects.toThrow(EngineUnavailable)
      await expect(through.orm.execute(sql`select 1`)).rejects.toThrow(EngineUnavailable)
      gate.open()
      const pidOfPool = await pid()
      const shut = through.transaction(async (tx) => {
        const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        await database.orm.execute(sql`select pg_terminate_backend(${rows[0]?.pid ?? pidOfPool})`)
        await tx.execute(sql`select 1`)
      })
      await expect(shut).rejects.toThrow(EngineUnavailable)
      expect(await pid()).toBeGreaterThan(0)
      gate.freeze()
      await expect(through.health(AbortSignal.timeout(300))).rejects.toThrow(EngineUnavailable)
      gate.open()
      await expect
        .poll(() =>
          through.health(AbortSignal.timeout(1000)).then(
            () => 'fine',
            () => 'unavailable',
          ),
        )
        .toBe('fine')
    })

    describe('with a deadline', () => {
      it('rolls back a transaction that is not done in time, also while a statement waits for another', async () => {
        const before = await count()
        const over = new Deadline({ startedAt: performance.now() - 2, timeoutMs: 1 })
        await expect(database.transaction((tx) => tx.execute(sql`insert into note values (20, 'late')`), over)).rejects.toThrow(
          DeadlineExceeded,
        )
        const free = Promise.withResolvers<void>()
        const locked = Promise.withResolvers<void>()
        const holder = database.transaction(async (tx) => {
          await tx.execute(sql`lock table note`)
          locked.resolve()
          await free.promise
        })
        await locked.promise
        const waiting = database.transaction(
          (tx) => tx.execute(sql`insert into note values (21, 'late')`),
          new Deadline({ timeoutMs: 300 }),
        )
        await expect(waiting).rejects.toThrow(DeadlineExceeded)
        free.resolve()
        await holder
        expect(await count()).toBe(before)
        await database.transaction((tx) => tx.execute(sql`insert into note values (22, 'in time')`), new Deadline({ timeoutMs: 60_000 }))
        expect(await count()).toBe(Number(before) + 1)
      })

      it('makes the server refuse a commit that arrives too late', { timeout: 60_000 }, async () => {
        const before = await count()
        await using gate = await openGate(fresh.url)
        const through = await connect(gate.url)
        const deadline = new Deadline({ timeoutMs: 1000, graceMs: 1000 })
        const deadlinePassed = new Promise((resolve) => deadline.signal.addEventListener('abort', resolve, { once: true }))
        const delayed = through.transaction(async (tx) => {
          await tx.execute(sql`insert into note values (30, 'late')`)
          gate.freeze()
        }, deadline)
        const outcome = expect(delayed).rejects.toThrow(DeadlineExceeded)
        await deadlinePassed
        gate.open()
        await outcome
        expect(await count()).toBe(before)
      })

      it('determines the outcome of a commit whose response was lost', { timeout: 60_000 }, async () => {
        await database.orm.execute(
          sql`create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'`,
        )
        await database.orm.execute(sql`create table slow_note (id integer primary key)`)
        await database.orm.execute(
          sql`create constraint trigger dawdles after insert on slow_note deferrable initially deferred for each row execute function dawdle()`,
        )
        await using gate = await openGate(fresh.url)
        const through = await connect(gate.url)
        const commit = through.transaction((tx) => tx.execute(sql`insert into slow_note values (1)`), new Deadline({ timeoutMs: 30_000 }))
        const committing = sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and query ~ 'commit$'`
        await expect.poll(async () => (await database.orm.execute<{ n: number }>(committing)).rows[0]?.n).toBe(1)
        // an administrator terminates connections before dropping a database
        await database.orm.execute(sql`checkpoint`)
        gate.cut()
        gate.open()
        await commit
        expect((await database.orm.execute(sql`select id from slow_note`)).rows).toEqual([{ id: 1 }])
      })
    })

    it('refuses to start on an address without a server, with the reason', async () => {
      await expect(connect('postgres://user@127.0.0.1:1/nothing')).rejects.toThrow(/^The database cannot be used: .*ECONNREFUSED/)
    })
  })
}
