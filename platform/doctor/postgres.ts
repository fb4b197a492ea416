import pg from 'pg'
import { z } from 'zod'
import { clockToleranceMs, oldestVersion } from '../../engines/relational/database.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { doubtful, type Examination, type Finding, fine, timed, versionFinding, wrong } from './examination.ts'

const Readings = z.object({
  server_version: z.string(),
  fsync: z.string(),
  full_page_writes: z.string(),
  synchronous_commit: z.string(),
  synchronous_standby_names: z.string(),
  transaction_read_only: z.string(),
  /** seconds since 1970 */
  clock: z.number(),
})

/** Settings of the server for sessions of the platform; `aheadMs`: how far its clock is ahead of this machine's, negative if behind. */
export interface PostgresReadings extends Omit<z.infer<typeof Readings>, 'clock'> {
  readonly aheadMs: number
}

const names = ['server_version', 'fsync', 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names', 'transaction_read_only']
const question = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}, extract(epoch from clock_timestamp())::float8 as clock`

/** Examines a PostgreSQL server. @throws {Error} of the driver, if it is unreachable, rejects the credentials or does not respond in time */
export async function examinePostgres(connectionString: string, limitMs: number): Promise<Examination> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    application_name: clientName('doctor'),
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // the first query includes the preparation of the connection
    await client.query('select 1')
    const { answer, tookMs } = await timed(() => client.query(question))
    const now = Date.now() - tookMs / 2
    const { clock, ...readings } = Readings.parse(answer.rows[0])
    const findings = postgresFindings({ ...readings, aheadMs: Math.round(clock * 1000 - now) })
    return { engine: `PostgreSQL ${readings.server_version}`, answeredInMs: tookMs, findings }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @see PostgreSQL manual, "Write Ahead Log" and "Replication" settings */
export function postgresFindings(readings: PostgresReadings): readonly Finding[] {
  const version = versionFinding(readings.server_version, oldestVersion, 'PostgreSQL')
  return [version, role(readings), ...durability(readings), clock(readings.aheadMs)]
}

function role({ transaction_read_only }: PostgresReadings): Finding {
  if (transaction_read_only === 'off') return fine('role', 'takes writes')
  const next = 'Set the primary, or all servers as comma-separated hosts; promote a server if none is the primary.'
  return wrong('role', 'a standby, or read-only: it does not accept writes', next)
}

function durability({ fsync, full_page_writes, synchronous_commit, synchronous_standby_names }: PostgresReadings): readonly Finding[] {
  const standby = synchronous_standby_names !== ''
  return [
    fsync === 'on'
      ? fine('fsync', 'on')
      : wrong('fsync', `${fsync}: a power failure may destroy the whole database`, 'ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();'),
    full_page_writes === 'on'
      ? fine('full_page_writes', 'on')
      : wrong(
          'full_page_writes',
          `${full_page_writes}: a page that was partly written at a power failure cannot be restored`,
          'ALTER SYSTEM SET full_page_writes = on; SELECT pg_reload_conf(); unless the file system guarantees atomic page writes.',
        ),
    synchronousCommit(synchronous_commit, standby),
    standby
      ? fine('synchronous_standby_names', synchronous_standby_names)
      : doubtful(
          'synchronous_standby_names',
          'empty: acknowledged data is only on the disk of this server',
          'To survive the loss of a disk: a synchronous standby or a replicated volume.',
        ),
  ]
}

function synchronousCommit(value: string, standby: boolean): Finding {
  const next = 'ALTER SYSTEM SET synchronous_commit = on; SELECT pg_reload_conf(); and no different value for the role or the database.'
  if (value === 'off') return wrong('synchronous_commit', 'off: a crash loses the last acknowledged transactions', next)
  if (value === 'local' && standby)
    return wrong('synchronous_commit', 'local: acknowledged before the synchronous standby has it; a failover loses it', next)
  return fine('synchronous_commit', value)
}

/** Leases and retention use the clock of the database, tokens and job times that of each process. */
function clock(aheadMs: number): Finding {
  const seconds = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine’s`
  if (Math.abs(aheadMs) <= clockToleranceMs) return fine('clock', seconds)
  return wrong('clock', `${seconds}: tokens and timestamps will be rejected`, 'Synchronise both machines with the same time server (NTP).')
}
