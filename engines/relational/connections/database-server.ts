import pg from 'pg'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { clientName } from '../client-name.ts'

/** Where new connections to the database go. */
export interface DatabaseServer {
  /** asked at each new connection, since it may be known only later, and change */
  readonly url: () => string
  /**
   * Of several servers: told that the one at `url` may not be the primary any longer. There each new connection makes sure that it is one which
   * takes writes. Absent where there is one server.
   */
  readonly lookAgain?: () => void
}

const answerLimitMs = 2000
/** between two looks, so that failures that come together make one */
const restMs = 500

/** @param urls - of one server, or of several of which one takes writes, in the order in which they are preferred */
export function databaseServer(urls: readonly string[], log: Log): DatabaseServer & Part {
  const [only = '', ...others] = urls
  if (others.length > 0) return primaryAmong(urls, log)
  return { name: 'database server', url: () => only, start: async () => undefined, stop: async () => undefined }
}

/**
 * The one of several servers that takes writes, as libpq's `target_session_attrs=read-write` finds it: at the start, and again whenever a
 * connection fails. Of two that do, it is the one that was promoted last: an old primary that came back is not taken for the new one.
 */
function primaryAmong(urls: readonly string[], log: Log): DatabaseServer & Part {
  const stopping = new AbortController()
  let primary = urls[0] ?? ''
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const timelines = new Map(await Promise.all(urls.map(async (url) => [url, await timelineOf(url)] as const)))
      const newest = Math.max(...timelines.values())
      if (newest > 0) {
        const [first = primary] = urls.filter((url) => timelines.get(url) === newest)
        if (timelines.get(primary) !== newest) {
          log.info({ host: new URL(first).host }, 'the primary of the database is another server now')
          primary = first
        }
        return
      }
      await pause(restMs, stopping.signal)
    }
  }
  const lookAgain = (): void => {
    looking ??= look()
      .then(() => pause(restMs, stopping.signal))
      .finally(() => {
        looking = undefined
      })
  }
  return {
    name: 'primary of the database',
    url: () => primary,
    lookAgain,
    async start(signal) {
      const first = look()
      looking = first.finally(() => {
        looking = undefined
      })
      // one that is away is waited for by who wants to use it
      await withTimeout(first, answerLimitMs, signal, () => new Error('no answer yet')).catch(() => undefined)
    },
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

/**
 * Which of its histories a server that takes writes has: each promotion begins another (PostgreSQL manual, "Continuous Archiving", Timelines).
 * @returns 0 for one that takes none, or does not answer
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

/** @throws {Error} when a server takes no writes, as a standby does */
export async function refuseStandby(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on') throw new Error(`the server at ${client.host}:${client.port} takes no writes`)
}
