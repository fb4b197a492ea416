import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../engines/relational/database.ts'
import { sql } from '../../engines/relational/drizzle.ts'
import { queriedGauges } from '../../foundation/process/metrics.ts'

interface LedWork {
  readonly work: string
  /** seconds since its leader took the lead; null without a leader */
  readonly leads: number | null
  /** seconds without a leader */
  readonly missing: number
}

interface Follower {
  readonly follower: string
  readonly events: number
  readonly seconds: number
}

/** Exports gauges of the connections of this process, and of leaders and follower lag, which are the same in every process with the database. */
export function registerDatabaseGauges(registry: Registry, database: Database): void {
  new Gauge({
    name: 'civigraph_database_connections',
    help: 'Connections of this process to the database by state, and requests waiting for one',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool
      this.set({ state: 'used' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'awaited' }, waitingCount)
    },
  })
  const ofLeaders = queriedGauges(registry, () => ledWork(database))
  const byWork = (rows: readonly LedWork[], seconds: (row: LedWork) => number): Record<string, number> =>
    Object.fromEntries(rows.map((row) => [row.work, seconds(row)]))
  ofLeaders(
    'civigraph_leader_seconds',
    'Seconds that the current leader of a work has led; 0 without a leader',
    (rows) => byWork(rows, ({ leads }) => leads ?? 0),
    'work',
  )
  ofLeaders(
    'civigraph_leader_missing_seconds',
    'Seconds without a leader of a work',
    (rows) => byWork(rows, ({ missing }) => missing),
    'work',
  )
  const ofFollowers = queriedGauges(registry, () => followers(database))
  const byFollower = (rows: readonly Follower[], number: (row: Follower) => number): Record<string, number> =>
    Object.fromEntries(rows.map((row) => [row.follower, number(row)]))
  ofFollowers(
    'civigraph_feed_lag_events',
    'Events that a follower of the feed has not processed',
    (rows) => byFollower(rows, ({ events }) => events),
    'follower',
  )
  ofFollowers(
    'civigraph_feed_lag_seconds',
    'Age in seconds of the oldest event that a follower has not processed',
    (rows) => byFollower(rows, ({ seconds }) => seconds),
    'follower',
  )
}

async function ledWork({ orm }: Database): Promise<readonly LedWork[]> {
  const { rows } = await orm.execute<{ work: string; leads: number | null; missing: number }>(sql`
    select name as "work",
      case when expires_at > clock_timestamp() then extract(epoch from clock_timestamp() - taken_at)::float8 end as "leads",
      case when expires_at = '-infinity' then 0 else greatest(0, extract(epoch from clock_timestamp() - expires_at))::float8 end as "missing"
    from lease`)
  return rows
}

async function followers({ orm }: Database): Promise<readonly Follower[]> {
  const { rows } = await orm.execute<{ follower: string; events: number; seconds: number }>(sql`
    select cursor.follower, greatest(0, newest.position - cursor.position)::float8 as "events",
      coalesce((select extract(epoch from clock_timestamp() - at)::float8 from event
        where event.topic = cursor.topic and event.position > cursor.position order by event.position limit 1), 0) as "seconds"
    from event_cursor cursor join event_topic newest using (topic)`)
  return rows
}
