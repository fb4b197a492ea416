import pg from 'pg'
import { z } from 'zod'
import { readRecord } from '../../engines/relational/migrations/applied-migrations.ts'
import { readMigrations } from '../../engines/relational/migrations/migration-files.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { doubtful, type Examination, type Finding, fine, timed, wrong } from './examination.ts'

/** How this release uses the platform's tables. */
export interface TablesOptions {
  /** folder of the migrations of this release */
  readonly schemaFolder: string
  /** whether a start applies pending migrations */
  readonly migrate: boolean
  /** ids of the keys with which this process can decrypt; undefined if none is set */
  readonly keyIds: readonly string[] | undefined
  /** id of the EXPRESSION_KEY; undefined if unset */
  readonly expressionKeyId: string | undefined
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
  /** id of the EXPRESSION_KEY that expression ids were first computed with; null: none yet */
  readonly recordedKeyId: string | null
  /** number of differing expressions at the last comparison of the search index; null: none yet */
  readonly drift: number | null
  readonly deadLetters: number
}

const Numbers = z.object({
  mayCreate: z.boolean(),
  forbidden: z.array(z.string()),
  drift: z.coerce.number().nullable(),
  deadLetters: z.coerce.number(),
})
const question = `select
  has_schema_privilege(current_schema(), 'create') as "mayCreate",
  (select coalesce(array_agg(tablename::text order by tablename), '{}') from pg_tables where schemaname = current_schema()
    and exists (select from unnest(array['select', 'insert', 'update', 'delete']) needed
      where not has_table_privilege(format('%I.%I', schemaname, tablename), needed))) as "forbidden",
  (select sum(missing + stale + extra) from search_index_drift) as "drift",
  (select count(*) from outbox_dead_letter) as "deadLetters"`

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
    const there = await client.query<{ there: boolean; keeps: boolean }>(
      `select to_regclass('vault_record') is not null as there, to_regclass('platform_key') is not null as keeps`,
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
    const records =
      there.rows[0]?.keeps === true
        ? (await client.query<{ keyId: string }>(`select key_id as "keyId" from platform_key where name = 'EXPRESSION_KEY'`)).rows
        : []
    const { keyIds } = options
    const readings: TablesReadings = {
      ...Numbers.parse(answer.rows[0]),
      pending,
      newer,
      recordedKeyId: records[0]?.keyId ?? null,
      sealed: keys.rows.reduce((sum, { records }) => sum + records, 0),
      unopened: keyIds === undefined ? [] : keys.rows.filter(({ keyId }) => !keyIds.includes(keyId)),
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
    expressionKey(readings, options),
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

function keys({ sealed, unopened }: TablesReadings, { keyIds }: Pick<TablesOptions, 'keyIds'>): Finding {
  const lost = unopened.reduce((sum, { records }) => sum + records, 0)
  if (lost > 0)
    return wrong(
      'keys',
      `${lost} of ${sealed} encrypted records need keys that are not set (${some(unopened.map(({ keyId }) => keyId))})`,
      'Set the key again as VAULT_KEY or in VAULT_KEY_PREVIOUS; without it these records are lost.',
    )
  if (keyIds === undefined)
    return doubtful('keys', `${sealed} encrypted records; VAULT_KEY is unset here`, 'Set VAULT_KEY to the value that the roles use.')
  return fine('keys', `${sealed} encrypted records; all of their keys are set`)
}

function expressionKey({ recordedKeyId }: TablesReadings, { expressionKeyId }: Pick<TablesOptions, 'expressionKeyId'>): Finding {
  if (recordedKeyId === null) return fine('expression key', 'not used yet')
  if (expressionKeyId === undefined)
    return doubtful('expression key', 'EXPRESSION_KEY is unset here', 'Set EXPRESSION_KEY to the value that subgraph:classification uses.')
  if (expressionKeyId !== recordedKeyId)
    return wrong(
      'expression key',
      `EXPRESSION_KEY (${expressionKeyId}) differs from the one that ids were computed with (${recordedKeyId})`,
      'Set the former EXPRESSION_KEY again; with another one, expressions sent again are stored twice.',
    )
  return fine('expression key', 'the one that ids were computed with')
}

const maxNamed = 3
const some = (names: readonly string[]): string =>
  names.length <= maxNamed ? names.join(', ') : `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`
