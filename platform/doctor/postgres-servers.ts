import pg from 'pg'
import { z } from 'zod'
import { databaseServer } from '../../engines/relational/connections/database-server.ts'
import { silentLog } from '../../foundation/log.ts'
import { clientName } from '../../foundation/process/build-info.ts'
import { doubtful, type Examination, type Finding, fine, timed, wrong } from './examination.ts'
import { examinePostgres } from './postgres.ts'

/** Returns the server that accepts writes, or the first if none does. */
export async function primaryOf(urls: readonly string[], limitMs: number): Promise<string> {
  const server = databaseServer(urls, silentLog)
  await server.start(AbortSignal.timeout(limitMs))
  await server.stop()
  return server.url()
}

/** Examines the primary of a database and whether its other servers respond. @throws {Error} of the driver, if the primary does not respond */
export async function examineDatabase(urls: readonly string[], limitMs: number): Promise<Examination> {
  const primary = await primaryOf(urls, limitMs)
  const [examination, ...others] = await Promise.all([
    examinePostgres(primary, limitMs),
    ...urls
      .filter((url) => url !== primary)
      .map((url) =>
        examinePostgres(url, limitMs).then(
          () => fine('server', `${new URL(url).host}: answers`),
          () =>
            doubtful('server', `${new URL(url).host}: does not respond, so it cannot be promoted`, 'Start it as a standby of the primary.'),
        ),
      ),
  ])
  return { ...examination, findings: [...examination.findings, ...others] }
}

const Limits = z.object({ statement: z.string(), idle: z.string() })

/**
 * Examines a transaction pooler with a connection like those of the platform. @throws {Error} of the driver, if the pooler rejects the limits of a
 * connection
 */
export async function examinePooler(url: string, limitMs: number): Promise<Examination> {
  return withClient(
    { connectionString: url, statement_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 },
    limitMs,
    async (client) => {
      const question = `select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`
      const { answer, tookMs } = await timed(() => client.query(question))
      return { engine: 'a pooler', answeredInMs: tookMs, findings: poolerFindings(Limits.parse(answer.rows[0])) }
    },
  )
}

/** Compares the limits of the server behind a pooler; "0": no limit. */
export function poolerFindings({ statement, idle }: z.infer<typeof Limits>): readonly Finding[] {
  const limit = (name: string, value: string, usual: string): Finding =>
    value === '0'
      ? doubtful(name, 'none: the pooler drops it, so a statement may run forever', `ALTER ROLE … SET ${name} = '${usual}';`)
      : fine(name, value)
  return [limit('statement_timeout', statement, '15s'), limit('idle_in_transaction_session_timeout', idle, '30s')]
}

const Standing = z.object({ isStandby: z.boolean(), behindSeconds: z.number() })
/** replication lag beyond which the primary does nearly every read */
const behindLimitSeconds = 5

/** Examines a read replica. @throws {Error} of the driver */
export async function examineReplica(url: string, limitMs: number): Promise<Examination> {
  return withClient({ connectionString: url }, limitMs, async (client) => {
    const question = `select current_setting('server_version') as version, pg_is_in_recovery() as "isStandby",
      case when pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
        then coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) else 0 end::float8 as "behindSeconds"`
    const { answer, tookMs } = await timed(() => client.query<{ version: string }>(question))
    const [row] = answer.rows
    return { engine: `PostgreSQL ${row?.version}`, answeredInMs: tookMs, findings: replicaFindings(Standing.parse(row)) }
  })
}

export function replicaFindings({ isStandby, behindSeconds }: z.infer<typeof Standing>): readonly Finding[] {
  const behind = `${behindSeconds.toFixed(1)} s behind`
  return [
    isStandby
      ? fine('role', 'standby')
      : doubtful('role', 'it accepts writes, so it is not a replica', 'Set DATABASE_REPLICA_URLS to standbys, or unset it.'),
    behindSeconds <= behindLimitSeconds
      ? fine('replay', behind)
      : wrong(
          'replay',
          `${behind}: the primary handles its reads`,
          'Check whether its replay is paused or waits for a long read (max_standby_streaming_delay).',
        ),
  ]
}

async function withClient(
  config: pg.ClientConfig,
  limitMs: number,
  ask: (client: pg.Client) => Promise<Examination>,
): Promise<Examination> {
  const limits = { connectionTimeoutMillis: limitMs, query_timeout: limitMs }
  const client = new pg.Client({ ...config, ...limits, application_name: clientName('doctor') })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await ask(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
