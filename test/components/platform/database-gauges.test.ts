import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { sql } from '../../../engines/relational/drizzle.ts'
import { takeLease } from '../../../engines/relational/leadership/lease.ts'
import { registerDatabaseGauges } from '../../../platform/engines/database-gauges.ts'
import { openMigrated, relationalEngines } from '../../support/engines/engines.ts'

for (const engine of relationalEngines())
  it(`the database gauges report leaders, lagging replicas and connections on ${engine.name}`, async () => {
    await using open = await openMigrated(engine)
    const { database } = open
    const registry = new Registry()
    registerDatabaseGauges(registry, database, new Map([['gateway', 2]]))
    const gauge = async (name: string) =>
      Object.fromEntries(
        ((await registry.getSingleMetric(name)?.get())?.values ?? []).map(({ labels, value }) => [Object.values(labels).join(), value]),
      )
    expect(await gauge('civigraph_leader_seconds')).toEqual({})

    const lease = (await takeLease(database, 'roll-ups')) ?? expect.fail('no other process has the lease')
    await database.orm.execute(sql`update lease set taken_at = now() - interval '90 s'`)
    await database.orm.execute(sql`insert into lease values ('callbacks', gen_random_uuid(), now() - interval '40 s')`)
    const leads = await gauge('civigraph_leader_seconds')
    expect(leads.callbacks).toBe(0)
    expect(leads['roll-ups']).toBeGreaterThanOrEqual(90)
    expect(leads['roll-ups']).toBeLessThan(150)
    const missing = await gauge('civigraph_leader_missing_seconds')
    expect(missing['roll-ups']).toBe(0)
    expect(missing.callbacks).toBeGreaterThanOrEqual(40)
    await lease.release()
    expect((await gauge('civigraph_leader_seconds'))['roll-ups']).toBe(0)

    await database.orm.execute(sql`insert into event_topic values ('t', 3)`)
    await database.orm.execute(sql`insert into event (topic, position, kind, id, at)
      select 't', n, 'done', 'x', now() - make_interval(secs => 100 - 10 * n) from generate_series(1, 3) n`)
    await database.orm.execute(sql`insert into event_cursor values ('t', 'slow', 1), ('t', 'quick', 3)`)
    expect(await gauge('civigraph_feed_lag_events')).toEqual({ slow: 2, quick: 0 })
    const lag = await gauge('civigraph_feed_lag_seconds')
    expect(lag.quick).toBe(0)
    expect(lag.slow).toBeGreaterThanOrEqual(80)

    // a role without a process is 0, not absent: an alert compares it
    expect(await gauge('civigraph_processes')).toEqual({ gateway: 0 })
    expect(await gauge('civigraph_processes_expected')).toEqual({ gateway: 2 })
    expect(await gauge('civigraph_backup_age_seconds')).toEqual({})
    const entry = sql`gen_random_uuid(), '{gateway,rest:content}', 'node-1', '2.0.0', 'abc', 70, 10, null, '{}'`
    await database.orm.execute(sql`insert into platform_process
      (id, roles, host, release, build_commit, schema_level, pool_size, search_index, keys, expires_at)
      values (${entry}, now() + interval '15 s'), (${entry}, now() - interval '1 s')`)
    expect(await gauge('civigraph_processes')).toEqual({ gateway: 1, 'rest:content': 1 })
    await database.orm.execute(sql`insert into platform_backup (finished_at, folder, release, row_count)
      values (now() - interval '2 hours', 'b', '2.0.0', 5), (now() - interval '1 hour', 'c', '2.0.0', 5)`)
    const [age = 0] = Object.values(await gauge('civigraph_backup_age_seconds'))
    expect([age >= 3600, age < 3700]).toEqual([true, true])
    await database.orm.execute(
      sql`insert into platform_key (name, key_id, recorded_at) values ('VAULT_KEY', 'a', now() - interval '3 days')`,
    )
    expect((await gauge('civigraph_key_age_seconds')).VAULT_KEY).toBeGreaterThanOrEqual(3 * 86_400)

    const waiting = await database.pool.connect()
    expect(await gauge('civigraph_database_connections')).toMatchObject({ used: 1, awaited: 0 })
    waiting.release()
    await database.stop()
    // unavailable: no stale value is reported
    expect(await gauge('civigraph_feed_lag_events')).toEqual({})
  })
