import type pg from 'pg'
import type { MigrationFile } from './migration-files.ts'

/** A record of a migration. */
export interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly sha256: string
  /** release that applied it */
  readonly release: string
  readonly startedAt: Date
  /** false: started outside a transaction and not completed */
  readonly isFinished: boolean
}

type Client = Pick<pg.ClientBase, 'query'>

/** Releases before 1.1 recorded migrations in the table `migration`, without the release. */
const firstRelease = '1.0.0'
const columns = 'number, name, sha256, release, started_at as "startedAt", applied_at is not null as "isFinished"'

/** Creates the record table if missing, with the migrations that releases before 1.1 applied. */
export async function prepareRecord(client: Client): Promise<void> {
  await client.query(`
    create table if not exists schema_migration (
      number integer primary key,
      name text not null,
      sha256 text not null,
      release text not null,
      started_at timestamptz not null default now(),
      applied_at timestamptz,
      duration_ms integer
    )`)
  if (await exists(client, 'migration'))
    await client.query(`
      insert into schema_migration (number, name, sha256, release, started_at, applied_at)
        select number, name, sha256, '${firstRelease}', applied_at, applied_at from migration
        on conflict do nothing`)
}

/** Returns the records in order; needs only read access. */
export async function readRecord(client: Client): Promise<readonly AppliedMigration[]> {
  if (await exists(client, 'schema_migration'))
    return (await client.query<AppliedMigration>(`select ${columns} from schema_migration order by number`)).rows
  if (!(await exists(client, 'migration'))) return []
  const { rows } = await client.query<AppliedMigration>(
    `select number, name, sha256, '${firstRelease}' as release, applied_at as "startedAt", true as "isFinished" from migration order by number`,
  )
  return rows
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
  return rows[0]?.there === true
}

/** Records the start of a migration, so that an interrupted one is detected. */
export async function recordBegun(client: Client, { number, name, sha256 }: MigrationFile, release: string): Promise<void> {
  await client.query(
    `insert into schema_migration (number, name, sha256, release) values ($1, $2, $3, $4)
     on conflict (number) do update set name = excluded.name, sha256 = excluded.sha256, release = excluded.release, started_at = now()`,
    [number, name, sha256, release],
  )
}

/** Returns SQL that records a migration as applied, for an operator who has lost the record. */
export const recordStatement = ({ number, name, sha256 }: MigrationFile, release: string): string =>
  `insert into schema_migration (number, name, sha256, release, applied_at) values (${number}, '${name}', '${sha256}', '${release}', now());`

/** @returns the duration in milliseconds by the server's clock */
export async function recordFinished(client: Client, { number }: MigrationFile): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    `update schema_migration set applied_at = clock_timestamp(), duration_ms = extract(epoch from clock_timestamp() - started_at) * 1000
     where number = $1 returning duration_ms as ms`,
    [number],
  )
  return rows[0]?.ms ?? 0
}
