import pg from 'pg'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { clientName } from '../../../foundation/process/build-info.ts'

/** The server for new connections. */
export interface DatabaseServer {
  /** called for each new connection, since the server may be found late and change */
  readonly url: () => string
  /**
   * With several servers: reports that the one at `url` may no longer be the primary; each new connection then checks that its server accepts writes.
   * Absent with one server.
   */
  readonly recheck?: () => void
}

const answerLimitMs = 2000
/** minimum interval of checks, so that concurrent failures cause one */
const restMs = 500

/** @param urls - one server, or several of which one accepts writes, in order of preference */
export function databaseServer(urls: readonly string[], log: Log): DatabaseServer & Part {
  const [only = '', ...others] = urls
  if (others.length > 0) return primaryAmong(urls, log)
  return { name: 'database server', url: () => only, start: async () => undefined, stop: async () => undefined }
}

/**
 * Selects the server that accepts writes, like libpq's `target_session_attrs=read-write`, at the start and after each failed connection. Of two, the
 * one promoted last wins, so that a returning old primary is not used.
 */
function primaryAmong(urls: readonly string[], log: Log): DatabaseServer & Part {
  const stopping = new AbortController()
  let primary = urls[0] ?? ''
  let selection: Promise<void> | undefined
  const selectPrimary = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const timelines = new Map(await Promise.all(urls.map(async (url) => [url, await timelineOf(url)] as const)))
      const newest = Math.max(...timelines.values())
      if (newest > 0) {
        const [first = primary] = urls.filter((url) => timelines.get(url) === newest)
        if (timelines.get(primary) !== newest) {
          log.info({ host: new URL(first).host }, 'the database primary changed')
          primary = first
        }
        return
      }
      await pause(restMs, stopping.signal)
    }
  }
  const recheck = (): void => {
    selection ??= selectPrimary()
      .then(() => pause(restMs, stopping.signal))
      .finally(() => {
        selection = undefined
      })
  }
  return {
    name: 'primary of the database',
    url: () => primary,
    recheck,
    async start(signal) {
      const first = selectPrimary()
      selection = first.finally(() => {
        selection = undefined
      })
      // callers wait for a primary that is unavailable
      await withTimeout(first, answerLimitMs, signal, () => new Error('no response yet')).catch(() => undefined)
    },
    async stop() {
      stopping.abort()
      await selection
    },
  }
}

/**
 * Returns the timeline of a server that accepts writes; each promotion starts a new one (PostgreSQL manual, "Continuous Archiving", Timelines).
 * @returns 0 if it is read-only or does not respond
 */
async function timelineOf(url: string): Promise<number> {
  const limits = { connectionTimeoutMillis: answerLimitMs, query_timeout: answerLimitMs }
  const client = new pg.Client({ connectionString: url, application_name: clientName('primary'), ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number }>(
      `select case when current_setting('transaction_read_only') = 'on' then 0
         else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`,
    )
    return rows[0]?.timeline ?? 0
  } catch {
    return 0
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @throws {Error} if the server is read-only, such as a standby */
export async function refuseStandby(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on') throw new Error(`the server at ${client.host}:${client.port} does not accept writes`)
}
