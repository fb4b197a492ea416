import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../subgraphs/engines/relational/database.ts'
import { sql } from '../../../subgraphs/engines/relational/drizzle.ts'
import { EngineUnavailable } from '../../../subgraphs/foundation/fault.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { openGate } from '../../support/processes/gate.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)

/** @param open - an empty database and how to drop it */
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

    it('commits what a transaction did, or nothing of it', async () => {
      const before = await count()
      await database.transaction((tx) => tx.execute(sql`insert into note values (1, 'kept')`))
      const failing = database.transaction(async (tx) => {
        await tx.execute(sql`insert into note values (2, 'lost')`)
        throw new Error('changed its mind')
      })
      await expect(failing).rejects.toThrow('changed its mind')
      expect(await count()).toBe(Number(before) + 1)
    })

    it('says which rule a statement broke, and never a value', async () => {
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

    it('is unavailable for those who find no free connection in time, and recovers', { timeout: 120_000 }, async () => {
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

    it('is unavailable, not broken, while the server is away or shuts its connections; then works again by itself', {
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
      const own = await pid()
      const shut = through.transaction(async (tx) => {
        const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        await database.orm.execute(sql`select pg_terminate_backend(${rows[0]?.pid ?? own})`)
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
            () => 'away',
          ),
        )
        .toBe('fine')
    })

    it('refuses to start on an address where nothing answers, saying so', async () => {
      await expect(connect('postgres://nobody@127.0.0.1:1/nothing')).rejects.toThrow(/^The database cannot be used: .*ECONNREFUSED/)
    })
  })
}
