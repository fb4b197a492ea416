import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuditRow, readAudit } from '../../../engines/audit/read-audit.ts'
import { openDatabase } from '../../../engines/relational/database.ts'
import { type Config, parseConfig } from '../../../foundation/config/config.ts'
import { silentLog } from '../../../foundation/log.ts'
import { runCommand } from '../../../platform/commands/commands.ts'
import { removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

let database: Awaited<ReturnType<typeof openMigrated>>
let dataDir: string
let config: Config
beforeAll(async () => {
  database = await openMigrated(embeddedEngine)
  dataDir = await temporaryDataDir()
  const key = () => randomBytes(32).toString('base64')
  const keys = { VAULT_KEY: key(), PRINCIPAL_SIGNING_KEY: key(), PSEUDONYM_KEY: key(), EXPRESSION_KEY: key() }
  config = parseConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir, ...keys }, '/')
})
afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  if (dataDir !== undefined) await removeDataDir(dataDir)
})

/** @returns the exit code, the output, and the audit records, oldest first */
async function run(...words: readonly string[]): Promise<{ code: number; output: string; records: readonly AuditRow[] }> {
  const trail = () => readAudit(database.database, {}, { limit: 1000 })
  const before = (await trail()).length
  const output: string[] = []
  const code = await runCommand(words, config, (line) => output.push(line))
  return { code, output: output.join('\n'), records: (await trail()).toReversed().slice(before) }
}
const accountId = async (email: string): Promise<unknown> =>
  (await database.database.pool.query('select id from identity_account where email = $1', [email])).rows[0]?.id

describe('the audit trail', () => {
  it('names the operator of a command, and records all its actions under one request', async () => {
    const [one, other] = [await run('keys', 'create', 'bank', '--scope', 'submit'), await run('keys', 'list')]
    const by = { issuer: 'command', subject: `${userInfo().username}@${hostname()}`, service: null, address: null, outcome: 'done' }
    expect(one.records).toMatchObject([{ ...by, action: 'service-key.create', target: 'bank', details: { scopes: ['submit'] } }])
    expect(other.records).toMatchObject([{ ...by, action: 'service-keys.read', target: null }])
    expect(one.records[0]?.requestId).toMatch(/^command-[\w-]{36}$/)
    expect(one.records[0]?.requestId).not.toBe(other.records[0]?.requestId)
  })

  it('records changes of service keys, without the secret', async () => {
    const result = await run('keys', 'create', 'kiosk')
    const rotated = await run('keys', 'rotate', 'kiosk', '--overlap-hours', '2')
    const revoked = await run('keys', 'revoke', 'kiosk')
    const records = [result, rotated, revoked].flatMap((each) => each.records)
    expect(records).toMatchObject([
      { action: 'service-key.create', target: 'kiosk' },
      { action: 'service-key.rotate', target: 'kiosk', details: { overlapHours: 2 } },
      { action: 'service-key.revoke', target: 'kiosk' },
    ])
    expect(result.output).toContain('civ_')
    expect(JSON.stringify(records)).not.toMatch(/civ_|whsec_/)
  })

  it('records changes of accounts by id, without address or password', async () => {
    const email = 'first@example.org'
    const result = await run('admin', 'create', email, '--role', 'super_admin')
    await run('admin', 'create', 'second@example.org', '--role', 'super_admin')
    const changed = [await run('admin', 'set-groups', email, '--group', 'north'), await run('admin', 'set-password', email)]
    const records = [result, ...changed, await run('admin', 'disable', email), await run('admin', 'list')].flatMap((each) => each.records)
    const target = await accountId(email)
    expect(records).toMatchObject([
      { action: 'account.create', target, details: { roles: ['super_admin'] } },
      { action: 'account.update', target, details: { members: ['groups'] } },
      { action: 'account.reset-password', target },
      { action: 'account.update', target, details: { members: ['disabledAt'], disabled: true } },
      { action: 'accounts.read' },
    ])
    const [, password = 'none'] = /password: (\S+)/.exec(result.output) ?? []
    expect(JSON.stringify(records)).not.toContain(email)
    expect(JSON.stringify(records)).not.toContain(password)
  })

  it.each([
    ['a key name in use', ['keys', 'create', 'bank']],
    ['an unknown key', ['keys', 'revoke', 'missing']],
    ['an unknown account', ['admin', 'disable', 'unknown@example.org']],
    ['an address that has an account', ['admin', 'create', 'second@example.org', '--role', 'reviewer']],
    ['the last account that may change others', ['admin', 'disable', 'second@example.org']],
  ])('records nothing for a refused command: %s', async (_, words) => {
    expect(await run(...words)).toMatchObject({ code: 1, records: [] })
  })

  it('records imports, redrives and removals', async () => {
    const file = join(dataDir, 'delegations.ndjson')
    await writeFile(file, '{"delegator":"F-1","delegate":"F-2","group_id":"files","starts_at":"2026-01-01T00:00:00Z"}\n')
    const brought = await run('delegations', 'import', file)
    expect(brought).toMatchObject({ code: 0, records: [{ action: 'delegations.import', details: { file: 'delegations.ndjson' } }] })
    expect(await run('dead-letters', 'redrive')).toMatchObject({ records: [{ action: 'dead-letters.redrive' }] })
    expect(await run('dead-letters', 'remove', '7')).toMatchObject({ records: [{ action: 'dead-letters.remove', target: '7' }] })
    const fingerprint = 'a'.repeat(64)
    const removed = await run('csca', 'remove', fingerprint)
    expect(removed).toMatchObject({ records: [{ action: 'country-certificate.remove', target: fingerprint }] })
    expect(await run('demo-data', 'remove')).toMatchObject({ code: 0, records: [{ action: 'demonstration.remove' }] })
  })

  it('records the operator of a backup, also in the copy, and of a restoration in the restored database; with the last segment of the folder only', async () => {
    await using empty = await embeddedEngine.open()
    const folder = join(dataDir, 'password-1234', 'monday')
    await mkdir(join(folder, '..'))
    const result = await run('backup', folder, '--allow-tmpfs')
    expect(result).toMatchObject({ code: 0, records: [{ action: 'backup.make', target: null, details: { folder: 'monday' } }] })
    expect(await run('backup', folder, '--allow-tmpfs')).toMatchObject({ code: 1, records: [] })
    expect(await run('restore', folder)).toMatchObject({ code: 1, records: [] })

    expect(await runCommand(['restore', folder], { ...config, database: { ...config.database, urls: [empty.url] } }, () => undefined)).toBe(
      0,
    )
    const restored = openDatabase({ url: () => empty.url, name: 'test', poolSize: 1, log: silentLog })
    await restored.start(AbortSignal.timeout(60_000))
    try {
      const records = await readAudit(restored, {}, { limit: 1000 })
      expect(records.slice(0, 2)).toMatchObject([
        { action: 'backup.restore', details: { folder: 'monday', moment: expect.any(String), release: expect.any(String) } },
        { action: 'backup.make', requestId: result.records[0]?.requestId },
      ])
      expect(records).toHaveLength((await readAudit(database.database, {}, { limit: 1000 })).length + 1)
      expect(JSON.stringify(records)).not.toContain('password-1234')
    } finally {
      await restored.stop()
    }
  })

  it('is required: an action that cannot be recorded is not performed', async () => {
    await database.database.pool.query('alter table audit_record rename to audit_record_away')
    try {
      expect(await runCommand(['keys', 'create', 'unseen'], config, () => undefined)).toBe(1)
    } finally {
      await database.database.pool.query('alter table audit_record_away rename to audit_record')
    }
    expect((await run('keys', 'list')).output).not.toContain('unseen')
  })
})
