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

/**
 * Exports gauges of the connections of this process, and of leaders, follower lag, running processes, keys and backups, which are the same in every
 * process with the database.
 * @param expected - processes that should run, by role
 */
export function registerDatabaseGauges(registry: Registry, database: Database, expected: ReadonlyMap<string, number> = new Map()): void {
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
  const ofPlatform = queriedGauges(registry, () => platformFacts(database))
  ofPlatform(
    'civigraph_processes',
    'Running processes with a role, by their leases in the database',
    ({ processes }) => ({ ...Object.fromEntries([...expected.keys()].map((role) => [role, 0])), ...processes }),
    'role',
  )
  ofPlatform('civigraph_key_age_seconds', 'Seconds since a key was first used', ({ keys }) => keys, 'key')
  ofPlatform(
    'civigraph_backup_age_seconds',
    'Seconds since the last complete backup; absent before the first',
    ({ backup }) => backup ?? undefined,
  )
  if (expected.size === 0) return
  const expectedGauge = new Gauge({
    name: 'civigraph_processes_expected',
    help: 'Processes with a role that should run (EXPECTED_PROCESSES)',
    labelNames: ['role'] as const,
    registers: [registry],
  })
  for (const [role, count] of expected) expectedGauge.set({ role }, count)
}

interface PlatformFacts {
  readonly processes: Readonly<Record<string, number>>
  readonly keys: Readonly<Record<string, number>>
  readonly backup: number | null
}

async function platformFacts({ orm }: Database): Promise<PlatformFacts> {
  const { rows } = await orm.execute<{ processes: Record<string, number>; keys: Record<string, number>; backup: number | null }>(sql`select
    coalesce((select json_object_agg(role, copies) from (select role, count(*) as copies from platform_process cross join unnest(roles) as role
      where expires_at > clock_timestamp() group by role) running), '{}') as processes,
    coalesce((select json_object_agg(name, extract(epoch from clock_timestamp() - recorded_at)::float8) from platform_key), '{}') as keys,
    (select extract(epoch from clock_timestamp() - max(finished_at))::float8 from platform_backup) as backup`)
  return rows[0] ?? { processes: {}, keys: {}, backup: null }
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
