import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { refuseOlderProcesses } from '../../../engines/relational/migrations/older-processes.ts'
import { type HeldKey, heldKey, type PlatformKeyName } from '../../../engines/relational/processes/held-key.ts'
import { liveProcesses } from '../../../engines/relational/processes/live-processes.ts'
import { type Membership, processRegistry } from '../../../engines/relational/processes/process-registry.ts'
import { keyIdOf } from '../../../foundation/key-id.ts'
import { keysOfData, missingKeysOf } from '../../../platform/commands/backup/platform-keys.ts'
import { rotateKey } from '../../../platform/commands/rotate-key.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

let database: Database
let end: () => Promise<unknown>
beforeAll(async () => {
  const opened = await openMigrated(embeddedEngine)
  database = opened.database
  end = async () => opened[Symbol.asyncDispose]()
})
afterAll(() => end?.())
beforeEach(async () => {
  for (const table of ['platform_process', 'platform_key', 'vault_record'])
    await database.orm.execute(sql`delete from ${sql.identifier(table)}`)
})

const [a, b] = [randomBytes(32), randomBytes(32)]
const build = { version: '2.0.0', commit: 'abc', schemaLevel: 74 }

const joined = async (roles: readonly string[], keys: readonly HeldKey[], changes: Partial<Membership> = {}) => {
  const registry = processRegistry({ roles, label: roles.join(), build, poolSize: 10, sharesServer: true, keys, ...changes })
  await registry.join(database)
  return registry.membership(database)
}
const refusal = (keys: readonly HeldKey[], roles = ['gateway']): Promise<string> =>
  joined(roles, keys).then(
    () => 'it starts',
    (error: Error) => error.message,
  )

describe('a start', () => {
  it.each<PlatformKeyName>(['PSEUDONYM_KEY', 'EXPRESSION_KEY', 'VAULT_KEY', 'DEDUPLICATION_KEY'])(
    'with another %s than the data was written with is refused with both ids',
    async (name) => {
      await (await joined(['worker:classification'], [heldKey(name, a)])).stop()
      expect(await refusal([heldKey(name, a)])).toBe('it starts')
      await database.orm.execute(sql`delete from platform_process`)
      expect(await refusal([heldKey(name, b)])).toMatch(
        new RegExp(
          `^${name} has the id ${keyIdOf(b)}, but the data of this database was written with the key ${keyIdOf(a)}: set that key as ${name}`,
        ),
      )
    },
  )

  it('on the database of an earlier release is refused without the key of its records', async () => {
    await database.orm.execute(
      sql`insert into vault_record (job_id, record, key_id, wrapped_key, sealed) values ('j', 'result', ${keyIdOf(a)}, '', '')`,
    )
    expect(await refusal([heldKey('VAULT_KEY', b)])).toContain(keyIdOf(a))
    expect(await refusal([heldKey('VAULT_KEY', b, [a])])).toBe('it starts')
  })

  it('with a new VAULT_KEY or signing key that a running process cannot read is refused, and names that process', async () => {
    for (const name of ['VAULT_KEY', 'PRINCIPAL_SIGNING_KEY'] as const) {
      const running = await joined(['subgraph:verification'], [heldKey(name, a)])
      expect(await refusal([heldKey(name, b, [a])])).toMatch(
        new RegExp(
          `^${name} has the id ${keyIdOf(b)}, which the process subgraph:verification on \\S+ \\(release 2\\.0\\.0\\) cannot read`,
        ),
      )
      await running.stop()
    }
  })

  it('with a signing key that a running process does not use is refused, and accepted when none runs', async () => {
    const running = await joined(['gateway'], [heldKey('PRINCIPAL_SIGNING_KEY', a)])
    expect(await refusal([heldKey('PRINCIPAL_SIGNING_KEY', b)])).toContain(`uses the key ${keyIdOf(a)}`)
    await running.stop()
    expect(await refusal([heldKey('PRINCIPAL_SIGNING_KEY', b)])).toBe('it starts')
  })
})

describe('a rotation of VAULT_KEY with two processes', () => {
  it('is led through its steps, each of which is checked on every process', async () => {
    const roles = [['gateway'], ['worker:verification']]
    const start = (keys: HeldKey) => Promise.all(roles.map((each) => joined(each, [keys])))
    const lines: string[] = []
    const rewrap = async () => {
      await database.orm.execute(sql`update vault_record set key_id = ${keyIdOf(b)}`)
      return 're-encrypted'
    }
    const step = async (held: HeldKey): Promise<readonly [code: number, last: string | undefined]> => {
      const code = await rotateKey(database, 'VAULT_KEY', held, rewrap, (line) => lines.push(line))
      return [code, lines.at(-1)]
    }
    const before = await start(heldKey('VAULT_KEY', a))
    await database.orm.execute(
      sql`insert into vault_record (job_id, record, key_id, wrapped_key, sealed) values ('j', 'result', ${keyIdOf(a)}, '', '')`,
    )
    expect(await step(heldKey('VAULT_KEY', a))).toEqual([0, expect.stringContaining('step 1: create a key')])

    const preparing = heldKey('VAULT_KEY', a, [b])
    expect(await step(preparing)).toEqual([1, expect.stringContaining('Set it as VAULT_KEY_PREVIOUS there')])
    expect(lines.join('\n')).toContain('2 of 2 processes cannot read the new key')
    await Promise.all(before.map((process) => process.stop()))
    const prepared = await start(preparing)
    expect(await step(preparing)).toEqual([0, expect.stringContaining('Step 2: exchange the values')])

    const switched = heldKey('VAULT_KEY', b, [a])
    const first = await joined(['gateway'], [switched])
    expect(await step(switched)).toEqual([1, expect.stringContaining(`uses ${keyIdOf(a)}`)])
    await Promise.all([...prepared, first].map((process) => process.stop()))
    const after = await start(switched)
    expect(await step(switched)).toEqual([0, expect.stringContaining('after 24 hours remove VAULT_KEY_PREVIOUS')])
    await Promise.all(after.map((process) => process.stop()))
    expect(await refusal([heldKey('VAULT_KEY', a)])).toContain(keyIdOf(b))
  })
})

describe('the list of running processes', () => {
  it('names release, commit, schema level and pool, and loses a process at its stop', async () => {
    const process = await joined(['gateway', 'rest:content'], [heldKey('VAULT_KEY', a)])
    expect(await liveProcesses(database.orm)).toEqual([
      expect.objectContaining({ roles: ['gateway', 'rest:content'], release: '2.0.0', commit: 'abc', schemaLevel: 74, poolSize: 10 }),
    ])
    await process.stop()
    expect(await liveProcesses(database.orm)).toEqual([])
  })

  it('makes a contract migration wait for a process of another schema level, by name', async () => {
    const contract = () => refuseOlderProcesses(database.pool, build, { forMs: 0, everyMs: 10 }, AbortSignal.timeout(10_000))
    const same = await joined(['gateway'], [])
    await contract()
    const other = await joined(['worker:exploration'], [], { build: { ...build, schemaLevel: 70 } })
    await expect(contract()).rejects.toThrow(/the process worker:exploration on \S+ \(release 2\.0\.0\), schema level 70/)
    await Promise.all([same.stop(), other.stop()])
    await contract()
  })
})

describe('the connections of a process', () => {
  it('are as many as configured, and fewer when the server has no more', async () => {
    const { rows } = await database.orm.execute<{ most: number }>(
      sql`select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
    )
    const most = rows[0]?.most ?? 0
    const first = processRegistry({ roles: ['gateway'], label: '', build, poolSize: most - 10, sharesServer: true, keys: [] })
    expect(await first.join(database)).toBe(most - 10)
    const second = (sharesServer: boolean) =>
      processRegistry({ roles: ['gateway'], label: '', build, poolSize: 10, sharesServer, keys: [] })
    expect(await second(true).join(database)).toBe(6)
    expect(await second(true).join(database)).toBe(2)
    expect(await second(false).join(database)).toBe(10)
  })
})

describe('the search index', () => {
  it('of a process is the one of every other process, or its start is refused with both', async () => {
    const worker = await joined(['worker:classification'], [], { searchIndex: 'lancedb one' })
    await (await joined(['gateway'], [])).stop()
    await (await joined(['subgraph:classification'], [], { searchIndex: 'lancedb one' })).stop()
    await expect(joined(['subgraph:classification'], [], { searchIndex: 'lancedb two' })).rejects.toThrow(
      /^The search index of this process \(lancedb two\) is not that of the process worker:classification on .* \(lancedb one\)/,
    )
    await worker.stop()
    await (await joined(['subgraph:classification'], [], { searchIndex: 'lancedb two' })).stop()
  })
})

describe('a backup', () => {
  it('names the keys that wrote the data, and is refused with another one', async () => {
    await joined(['gateway'], [heldKey('PSEUDONYM_KEY', a), heldKey('PRINCIPAL_SIGNING_KEY', a)])
    expect(await keysOfData(database.orm, [])).toEqual({ PSEUDONYM_KEY: keyIdOf(a) })
    await expect(keysOfData(database.orm, [heldKey('PSEUDONYM_KEY', b)])).rejects.toThrow(`written with the key ${keyIdOf(a)}`)
  })

  it('from before a rotation is restored with its key as a previous one', () => {
    expect(missingKeysOf({ VAULT_KEY: keyIdOf(a) }, [heldKey('VAULT_KEY', b, [a])])).toEqual([])
    expect(missingKeysOf({ VAULT_KEY: keyIdOf(a) }, [heldKey('VAULT_KEY', b)])).toEqual([['VAULT_KEY', keyIdOf(a)]])
  })
})
