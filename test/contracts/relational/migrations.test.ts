import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../engines/relational/database.ts'
import type { LockWaits } from '../../../engines/relational/migrations/apply-migration.ts'
import { relationalSchema } from '../../../engines/relational/migrations/relational-schema.ts'
import { refuseUnfit } from '../../../foundation/engine-start/schema-at-start.ts'
import { silentLog } from '../../../foundation/log.ts'
import type { FreshDatabase } from '../../support/engines/databases.ts'
import { relationalEngines } from '../../support/engines/engines.ts'

const signal = (): AbortSignal => AbortSignal.timeout(60_000)
const quick: LockWaits = { lockMs: 20, tries: 3, restMs: 2 }

for (const engine of relationalEngines())
  describe(`migrations on ${engine.name}`, () => {
    let folder: string
    let empty: FreshDatabase
    let target: Database
    let progress: string[]
    const databases: Database[] = []
    const connect = async (): Promise<Database> => {
      const database = openDatabase({ name: 'test', url: () => empty.url, poolSize: 5, log: silentLog })
      databases.push(database)
      await database.start(signal())
      return database
    }
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'civigraph-migrations-'))
      empty = await engine.open()
      target = await connect()
      progress = []
      await file('0001-first.sql', 'create table first (n int); insert into first values (1)')
      await file('0002-second.sql', 'alter table first add column word text')
    })
    afterEach(async () => {
      for (const database of databases.splice(0)) await database.stop()
      await empty[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    })
    const file = (name: string, content: string): Promise<void> => writeFile(join(folder, name), content)
    const schema = ({ database = target, release = '1.0.0', waits = quick } = {}) =>
      relationalSchema({ database, folder, release, waits, watch: { forMs: 100, everyMs: 20 } })
    const migrate = ({
      contract = false,
      ...options
    }: Parameters<typeof schema>[0] & { readonly contract?: boolean } = {}): Promise<void> =>
      schema(options).apply({ signal: signal(), contract, onProgress: (sentence) => progress.push(sentence) })
    const rows = async (statement: string): Promise<unknown[]> => (await target.pool.query(statement)).rows

    it.each([
      ['in the middle', '0001-first.sql'],
      ['at the end', '0002-second.sql'],
    ])('explains how to restore a record that was lost %s', async (_, name) => {
      await migrate()
      await rows(`delete from schema_migration where name = '${name}'`)
      const refusal = await migrate().then(
        () => '',
        (error: unknown) => String(error),
      )
      const [statement = ''] = /insert into schema_migration.*;/.exec(refusal) ?? []
      expect(statement).toContain(name)
      await rows(statement)
      await migrate()
      expect(await rows('select * from first')).toEqual([{ n: 1, word: null }])
    })

    it('applies each file once, also when many processes start at the same time', async () => {
      const others = await Promise.all([1, 2, 3].map(connect))
      await Promise.all([target, ...others].map((database) => migrate({ database })))
      await migrate()
      expect(await rows('select * from first')).toEqual([{ n: 1, word: null }])
      await file('0003-third.sql', "update first set word = 'new'")
      await migrate({ release: '1.1.0' })
      expect(await rows('select * from first')).toEqual([{ n: 1, word: 'new' }])
      expect(
        await rows(
          'select number, name, release, applied_at >= started_at as ended, duration_ms >= 0 as took from schema_migration order by 1',
        ),
      ).toEqual([
        { number: 1, name: '0001-first.sql', release: '1.0.0', ended: true, took: true },
        { number: 2, name: '0002-second.sql', release: '1.0.0', ended: true, took: true },
        { number: 3, name: '0003-third.sql', release: '1.1.0', ended: true, took: true },
      ])
    })

    it('contracts nothing while a process of an older release is connected, and names it', async () => {
      await migrate()
      await file('0016-contract.sql', '-- migration: contract\nalter table first drop column word')
      const contract = () => migrate({ contract: true, release: '1.1.0' })
      const columns = async (): Promise<number> => Object.keys((await rows('select * from first'))[0] ?? {}).length
      const newer = openDatabase({ name: 'civigraph 1.2.0 0123abcd/16 gateway', url: () => empty.url, poolSize: 1, log: silentLog })
      databases.push(newer)
      await newer.start(signal())
      for (const [name, release] of [
        ['civigraph', 'release 1.0'],
        ['civigraph 1.1.0-dev jobs', '1.1.0-dev'],
        ['civigraph 1.0.9 queue', '1.0.9'],
        ['civigraph 1.1.0 0123abcd/15 gateway', '1.1.0'],
      ] as const) {
        const older = openDatabase({ name, url: () => empty.url, poolSize: 1, log: silentLog })
        await older.start(signal())
        // the server removes the ended connection with a delay
        await expect
          .poll(() => contract().then(columns, (error: unknown) => (error instanceof Error ? error.message : error)))
          .toMatch(
            new RegExp(
              `^Processes of an older release or another schema level run and may need what this migration removes: 1 connection of ${release} from \\S+ \\("${name}"\\)\\. Stop or upgrade them, then run it again \\(this is 1\\.1\\.0, schema level 16\\)$`,
            ),
          )
        expect(await columns()).toBe(2)
        await older.stop()
      }
      await expect.poll(() => contract().then(columns, (error: unknown) => String(error))).toBe(1)
    })

    it('refuses a changed, missing or late file by name, and changes nothing', async () => {
      await migrate()
      await file('0001-first.sql', 'create table other (n int)')
      await rm(join(folder, '0002-second.sql'))
      await file('0003-third.sql', 'create table third (n int)')
      await expect(migrate()).rejects.toThrow(
        /^The schema of PostgreSQL is incompatible with this version: 0001-first\.sql was changed after it was applied; 0002-second\.sql was applied but is missing in this release$/,
      )
      expect(await rows("select to_regclass('third') as third")).toEqual([{ third: null }])
      await file('0001-first.sql', 'create table first (n int); insert into first values (1)')
      await file('0002-second.sql', 'alter table first add column word text')
      await file('0004-fourth.sql', 'select 1')
      await rm(join(folder, '0003-third.sql'))
      await migrate()
      await file('0003-third.sql', 'create table third (n int)')
      await expect(migrate()).rejects.toThrow(/0003-third\.sql was not applied, but later ones were/)
    })

    it('rolls back a failing file, names it, and continues after it is repaired', async () => {
      await file('0003-broken.sql', 'create table half (n int); select nothing from nowhere')
      await expect(migrate()).rejects.toThrow(/^The migration 0003-broken\.sql fails: relation "nowhere" does not exist$/)
      expect(await rows("select to_regclass('half') as half, to_regclass('first')::text as first")).toEqual([
        { half: null, first: 'first' },
      ])
      await file('0003-broken.sql', 'create table half (n int)')
      await migrate()
    })

    it('reports pending files to a read-only role, and refuses a process that may not change the schema', async () => {
      const before = await schema().status(signal())
      expect(before).toMatchObject({ applied: 0, pending: [{ name: '0001-first.sql' }, { name: '0002-second.sql' }] })
      expect(await rows("select to_regclass('schema_migration') as record")).toEqual([{ record: null }])
      expect(() => refuseUnfit('PostgreSQL', before)).toThrow(
        'The schema of PostgreSQL lacks 0001-first.sql and 1 more, and MIGRATE=off forbids this process to change it: run "civigraph migrate apply" as a user that may, then start again',
      )
      await migrate()
      const after = await schema().status(signal())
      expect(after).toMatchObject({ version: '1.2', applied: 2, pending: [], problems: [] })
      expect(refuseUnfit('PostgreSQL', after)).toBeUndefined()
    })

    it('accepts additions of a newer release of the same major version, and refuses another major version with the next step', async () => {
      await file('0016-newer.sql', '-- migration: expand\ncreate table newer (n int)')
      await migrate({ release: '1.4.0' })
      await rm(join(folder, '0016-newer.sql'))
      await migrate({ release: '1.3.0' })
      expect(await schema({ release: '1.3.0' }).status(signal())).toMatchObject({
        version: '1.16',
        pending: [],
        newer: ['0016-newer.sql, applied by release 1.4.0'],
        problems: [],
      })
      await file('0017-major.sql', '-- migration: expand\ncreate table major (n int)')
      await file('0016-newer.sql', '-- migration: expand\ncreate table newer (n int)')
      await migrate({ release: '2.0.0' })
      await expect(migrate({ release: '1.4.0' })).rejects.toThrow(
        /the schema has version 2\.17, but this is release 1\.4\.0: start release 2, or restore a backup from before the upgrade$/,
      )
    })

    it('contracts only on request, also after later additions', async () => {
      await file('0016-contract.sql', '-- migration: contract\nalter table first drop column word')
      await file('0017-expand.sql', '-- migration: expand\nalter table first add column more text')
      await migrate()
      expect(await rows('select * from first')).toEqual([{ n: 1, word: null, more: null }])
      expect(await schema().status(signal())).toMatchObject({ pending: [], contracts: ['0016-contract.sql'], problems: [] })
      await migrate({ contract: true })
      expect(await rows('select * from first')).toEqual([{ n: 1, more: null }])
    })

    it('continues from the record of releases before 1.1, which still accept the schema', async () => {
      await migrate()
      await target.pool.query(
        `create table migration as select number, name, sha256, applied_at from schema_migration; drop table schema_migration`,
      )
      expect(await schema().status(signal())).toMatchObject({ version: '1.2', applied: 2, pending: [] })
      await file('0003-third.sql', 'create table third (n int)')
      await migrate()
      expect(await rows('select number from migration order by 1')).toEqual([{ number: 1 }, { number: 2 }])
      expect(await rows('select number from schema_migration order by 1')).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }])
    })

    it('does not block other transactions while a long reader holds a lock, and fails with a message', async () => {
      await migrate()
      await file('0003-third.sql', 'alter table first add column third text')
      const reader = await (await connect()).pool.connect()
      await reader.query('begin; select from first')
      await expect(migrate()).rejects.toThrow(
        'The migration 0003-third.sql did not get its locks in 3 attempts: check pg_stat_activity for long transactions',
      )
      expect(progress).toContain('0003-third.sql waits for locks of other transactions (attempt 1 of 3)')
      const waiting = migrate({ waits: { ...quick, tries: 1000 } })
      await expect.poll(() => progress.filter((sentence) => sentence.includes('of 1000')).length).toBeGreaterThan(2)
      expect(await rows('select n from first')).toEqual([{ n: 1 }])
      await reader.query('rollback')
      reader.release()
      await waiting
      expect(await rows('select * from first')).toEqual([{ n: 1, word: null, third: null }])
    })

    it('builds an index during writes, and finishes one that a failure left incomplete', async () => {
      await migrate()
      await target.pool.query('insert into first values (1)')
      await file(
        '0016-index.sql',
        '-- migration: expand, concurrently\ncreate unique index concurrently if not exists first_n on first (n);\n',
      )
      await expect(migrate()).rejects.toThrow(/^The migration 0016-index\.sql fails: could not create unique index "first_n"/)
      const { pending } = await schema().status(signal())
      expect(pending).toEqual([
        {
          name: '0016-index.sql',
          how: expect.stringMatching(/^started at .* by release 1\.0\.0 and interrupted: the next apply completes it$/),
        },
      ])
      await target.pool.query("delete from first where word is null; insert into first values (1, 'one')")
      await migrate()
      expect(await rows("select indisvalid from pg_index where indexrelid = 'first_n'::regclass")).toEqual([{ indisvalid: true }])
      expect(await schema().status(signal())).toMatchObject({ applied: 3, pending: [] })
    })

    it('does not wait indefinitely for another process that migrates', async () => {
      const other = await (await connect()).pool.connect()
      await other.query('select pg_advisory_lock(1667856227)')
      const stopped = new AbortController()
      const waiting = schema().apply({ signal: stopped.signal, onProgress: () => stopped.abort(new Error('stopped')) })
      await expect(waiting).rejects.toThrow('stopped')
      other.release(true)
      await migrate()
    })
  })
