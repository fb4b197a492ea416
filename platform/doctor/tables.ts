import pg from 'pg'
import { z } from 'zod'
import { readRecord } from '../../engines/relational/migrations/applied-migrations.ts'
import { readMigrations } from '../../engines/relational/migrations/migration-files.ts'
import { canRead, type HeldKey, isRotatable, type PlatformKeyName } from '../../engines/relational/processes/held-key.ts'
import { type LiveProcess, liveProcessesStatement, parseLiveProcesses } from '../../engines/relational/processes/live-processes.ts'
import { neededBy } from '../../engines/relational/processes/process-registry.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { doubtful, type Examination, type Finding, fine, timed, wrong } from './examination.ts'

/** How this release uses the platform's tables. */
export interface TablesOptions {
  /** folder of the migrations of this release */
  readonly schemaFolder: string
  /** whether a start applies pending migrations */
  readonly migrate: boolean
  /** shared keys in the settings of this process */
  readonly keys: readonly HeldKey[]
}

/** The state of the platform's tables. */
export interface TablesReadings {
  readonly pending: readonly string[]
  /** migrations of a newer release */
  readonly newer: readonly string[]
  readonly mayCreate: boolean
  /** tables without the right to read or write */
  readonly forbidden: readonly string[]
  /** records encrypted with keys that are not set, by key id */
  readonly unopened: readonly { readonly keyId: string; readonly records: number }[]
  readonly sealed: number
  /** ids of the keys that wrote the data */
  readonly recordedKeys: readonly { readonly name: PlatformKeyName; readonly keyId: string }[]
  /** processes that run now */
  readonly processes: readonly LiveProcess[]
  /** connections that the server grants to this user */
  readonly maxConnections: number
  /** number of differing expressions at the last comparison of the search index; null: none yet */
  readonly drift: number | null
  readonly deadLetters: number
}

const Numbers = z.object({
  mayCreate: z.boolean(),
  forbidden: z.array(z.string()),
  drift: z.coerce.number().nullable(),
  deadLetters: z.coerce.number(),
  maxConnections: z.coerce.number(),
})
const question = `select
  has_schema_privilege(current_schema(), 'create') as "mayCreate",
  (select coalesce(array_agg(tablename::text order by tablename), '{}') from pg_tables where schemaname = current_schema()
    and exists (select from unnest(array['select', 'insert', 'update', 'delete']) needed
      where not has_table_privilege(format('%I.%I', schemaname, tablename), needed))) as "forbidden",
  (select sum(missing + stale + extra) from search_index_drift) as "drift",
  (select count(*) from outbox_dead_letter) as "deadLetters",
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections"`

/** Examines the tables of the platform: version, privileges, and whether the encryption keys are set. @throws {Error} of the driver */
export async function examineTables(connectionString: string, options: TablesOptions, limitMs: number): Promise<Examination> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    application_name: clientName('doctor'),
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const files = await readMigrations(options.schemaFolder)
    const there = await client.query<{ there: boolean; keeps: boolean; lists: boolean }>(
      `select to_regclass('vault_record') is not null as there, to_regclass('platform_key') is not null as keeps,
        to_regclass('platform_process') is not null as lists`,
    )
    const isEmpty = there.rows[0]?.there !== true
    const applied = isEmpty ? [] : await readRecord(client)
    const done = new Set(applied.filter(({ isFinished }) => isFinished).map(({ number }) => number))
    // a contract migration waits for an operator
    const pending = files.filter(({ number, phase }) => phase === 'expand' && !done.has(number)).map(({ name }) => name)
    const last = files.at(-1)?.number ?? 0
    const newer = applied.filter(({ number }) => number > last).map(({ name }) => name)
    if (isEmpty) return { engine: 'empty', answeredInMs: 0, findings: [schema({ pending, newer }, options)] }
    const { answer, tookMs } = await timed(() => client.query(question))
    const keys = await client.query<{ keyId: string; records: number }>(
      'select key_id as "keyId", count(*)::int as records from vault_record group by key_id order by key_id',
    )
    const recordedKeys =
      there.rows[0]?.keeps === true
        ? (await client.query<{ name: PlatformKeyName; keyId: string }>(`select name, key_id as "keyId" from platform_key order by name`))
            .rows
        : []
    const processes = there.rows[0]?.lists === true ? parseLiveProcesses((await client.query(liveProcessesStatement)).rows) : []
    const vaultKey = options.keys.find(({ name }) => name === 'VAULT_KEY')
    const readings: TablesReadings = {
      ...Numbers.parse(answer.rows[0]),
      pending,
      newer,
      recordedKeys,
      processes,
      sealed: keys.rows.reduce((sum, { records }) => sum + records, 0),
      unopened: vaultKey === undefined ? [] : keys.rows.filter(({ keyId }) => !canRead(vaultKey, keyId)),
    }
    return { engine: `${done.size} migrations`, answeredInMs: tookMs, findings: tablesFindings(readings, options) }
  } finally {
    await client.end().catch(() => undefined)
  }
}

export function tablesFindings(readings: TablesReadings, options: Omit<TablesOptions, 'schemaFolder'>): readonly Finding[] {
  const { forbidden, mayCreate, drift, deadLetters } = readings
  const { migrate } = options
  return [
    schema(readings, options),
    forbidden.length > 0
      ? wrong(
          'privileges',
          `no right to read and write ${some(forbidden)}`,
          'GRANT SELECT, INSERT, UPDATE, DELETE on every table of the schema to this user.',
        )
      : migrate && !mayCreate
        ? doubtful(
            'privileges',
            'may write every table but create none',
            'Set MIGRATE=off for the roles, and run "civigraph migrate apply" as the owner before each release.',
          )
        : fine('privileges', migrate ? 'may create and write tables' : 'may write every table'),
    keys(readings, options),
    ...recordedKeys(readings, options),
    builds(readings),
    connections(readings),
    drift === null || drift === 0
      ? fine('search index', drift === null ? 'not compared yet' : 'equals the database')
      : doubtful(
          'search index',
          `${drift} expressions differ`,
          'worker:classification repairs it while it runs; otherwise run "civigraph search check".',
        ),
    deadLetters === 0
      ? fine('dead letters', 'none')
      : doubtful('dead letters', `${deadLetters}`, '"civigraph dead-letters list" shows the reasons.'),
  ]
}

function schema({ pending, newer }: Pick<TablesReadings, 'pending' | 'newer'>, { migrate }: Pick<TablesOptions, 'migrate'>): Finding {
  if (pending.length > 0) {
    const observation = `lacks ${some(pending)}`
    return migrate
      ? doubtful('schema', observation, 'The next start applies it.')
      : wrong('schema', observation, 'Run "civigraph migrate apply".')
  }
  if (newer.length > 0) return doubtful('schema', `has ${some(newer)} of a newer release`, 'Upgrade this process, too.')
  return fine('schema', 'up to date')
}

function keys({ sealed, unopened }: TablesReadings, options: Pick<TablesOptions, 'keys'>): Finding {
  const lost = unopened.reduce((sum, { records }) => sum + records, 0)
  if (lost > 0)
    return wrong(
      'keys',
      `${lost} of ${sealed} encrypted records need keys that are not set (${some(unopened.map(({ keyId }) => keyId))})`,
      'Set the key again as VAULT_KEY or in VAULT_KEY_PREVIOUS; without it these records are lost.',
    )
  if (!options.keys.some(({ name }) => name === 'VAULT_KEY'))
    return doubtful('keys', `${sealed} encrypted records; VAULT_KEY is unset here`, 'Set VAULT_KEY to the value that the roles use.')
  return fine('keys', `${sealed} encrypted records; all of their keys are set`)
}

function recordedKeys({ recordedKeys: recorded }: TablesReadings, { keys: held }: Pick<TablesOptions, 'keys'>): readonly Finding[] {
  return recorded
    .filter(({ name }) => name !== 'PRINCIPAL_SIGNING_KEY')
    .map(({ name, keyId }) => {
      const key = held.find((each) => each.name === name)
      if (key === undefined)
        return doubtful(name, `the data was written with ${keyId}; unset here`, `Set ${name} to the value that the roles use.`)
      if (canRead(key, keyId)) return fine(name, `${keyId}, which wrote the data`)
      return wrong(
        name,
        `${key.currentId} differs from ${keyId}, which wrote the data`,
        isRotatable(name) ? `Set that key as ${name} or ${name}_PREVIOUS.` : `Set that key again; ${name} never changes.`,
      )
    })
}

function builds({ processes }: TablesReadings): Finding {
  const each = [
    ...new Set(processes.map(({ release, commit, schemaLevel }) => `${release} (${commit.slice(0, 8)}, schema level ${schemaLevel})`)),
  ]
  if (each.length < 2) return fine('processes', each.length === 0 ? 'none runs' : `${processes.length} of ${each[0]}`)
  return doubtful(
    'processes',
    `${processes.length} of different builds: ${some(each)}`,
    'Complete the roll-out before "migrate apply --contract".',
  )
}

function connections({ processes, maxConnections }: TablesReadings): Finding {
  const needed = neededBy(processes)
  const observation = `${processes.length} processes open up to ${needed} of ${maxConnections}`
  if (needed <= maxConnections) return fine('connections', observation)
  return wrong('connections', observation, 'Lower DATABASE_POOL, raise max_connections, or use PgBouncer.')
}

const maxNamed = 3
const some = (names: readonly string[]): string =>
  names.length <= maxNamed ? names.join(', ') : `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`
