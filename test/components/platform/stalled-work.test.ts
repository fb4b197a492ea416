import { graphql } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openQueue } from '../../../engines/job-queue/bullmq-queue.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { compose, type Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { MetricRegistries } from '../../../foundation/process/metrics.ts'
import { type BuiltComponents, buildComponents } from '../../../platform/components/components.ts'
import { delegationsQueue } from '../../../platform/engines/awaited-database.ts'
import { openSharedEngines } from '../../../platform/engines/shared-engines.ts'
import { parseRoles } from '../../../platform/process/roles.ts'
import { jobFormat } from '../../../subgraphs/verification/tables.ts'
import { removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

/** Components A, B, C and D without a worker: submitted work waits. */
const components = ['verification', 'exploration', 'classification', 'administration'] as const
let database: Awaited<ReturnType<typeof openMigrated>>
let dataDir: string
const registries = new MetricRegistries()
let built: BuiltComponents
let engines: Part
beforeAll(async () => {
  database = await openMigrated(embeddedEngine)
  dataDir = await temporaryDataDir()
  const config = parseConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir }, '/')
  const shared = await openSharedEngines(config, new Uint8Array(32), true, silentLog)
  const roles = parseRoles(components.map((name) => `subgraph:${name}`))
  if ('problems' in roles) throw new Error(roles.problems.join(' '))
  built = await buildComponents(roles, {
    engines: shared,
    config,
    build: { version: '1.0.0', commit: 'test', schemaLevel: 1 },
    log: silentLog,
    registries,
  })
  const issuer = shared.identity.embedded
  engines = compose('engines', [...built.engines, ...(issuer === undefined ? [] : [issuer])])
  await engines.start(AbortSignal.timeout(60_000))
})
afterAll(async () => {
  await engines.stop()
  await database[Symbol.asyncDispose]()
  await removeDataDir(dataDir)
})

const run = (statement: string) => database.database.pool.query(statement)

/** The overall status, and the checks that are not ok with their reason. */
async function healthOf(component: (typeof components)[number]): Promise<readonly (string | undefined)[]> {
  const schema = built.subgraphs.find(({ name }) => name === component)?.schema
  if (schema === undefined) throw new Error(`${component} was not built`)
  const { data } = await graphql({ schema, source: `{ health: ${component}Health { status checks { name status error } } }` })
  const { status, checks } = (data as { health: { status: string; checks: { name: string; status: string; error: string | null }[] } })
    .health
  return [status, ...checks.filter((check) => check.status !== 'OK').map(({ name, status: each, error }) => `${name} ${each}: ${error}`)]
}

const waited = expect.stringMatching(/ has been waiting for 4\d s$/)
const waitingFor = (sentence: string) => expect.stringMatching(new RegExp(`^${sentence} has been waiting for 4\\d s$`))

describe('health', () => {
  it('is ok while no work waits', async () => {
    for (const component of components) expect(await healthOf(component)).toEqual(['OK'])
  })

  it('is degraded while expressions wait without a worker to write them', async () => {
    await run(`insert into outbox (queue, kind, content, at) values ('expressions', 'expression', '{}', now() - interval '20 seconds')`)
    expect(await healthOf('classification')).toEqual(['OK'])
    await run(`update outbox set at = now() - interval '40 seconds'`)
    expect(await healthOf('classification')).toEqual([
      'DEGRADED',
      waitingFor('analytics_database DEGRADED: The oldest unwritten expression'),
    ])
    await run('delete from outbox')
    expect(await healthOf('classification')).toEqual(['OK'])
  })

  it('is degraded while messages, jobs or changes wait of a newer release', async () => {
    const aged = `now() - interval '20 seconds'`
    await run(`insert into outbox (queue, kind, content, at, format) values ('expressions', 'expressions', '{}', ${aged}, 2)`)
    expect(await healthOf('classification')).toEqual([
      'DEGRADED',
      'analytics_database DEGRADED: messages with expressions of a newer release wait for a process of that release: 1',
    ])
    await run('delete from outbox')
    await run(
      `insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class, queued_at, format)
       values ('newer', 'desk', 'c', 'CNI', 'FR', 'normal', 1, ${aged}, ${jobFormat + 1})`,
    )
    expect(await healthOf('verification')).toEqual([
      'DEGRADED',
      'database DEGRADED: jobs of a newer release wait for a process of that release: 1',
    ])
    await run('delete from verification_job')
    await run(`insert into event_topic (topic, position) values ('analytics', 1)`)
    await run(`insert into event (topic, position, kind, id, at, format) values ('analytics', 1, 'expression_added', 'x', ${aged}, 2)`)
    const sentence = 'DEGRADED: changes of a newer release wait for a process of that release'
    expect(await healthOf('exploration')).toEqual(['DEGRADED', `analytics_database ${sentence}`])
    expect(await healthOf('classification')).toEqual(['DEGRADED', `search_index ${sentence}`])
    await run('delete from event')
    await run('delete from event_topic')
    for (const component of ['verification', 'exploration', 'classification'] as const) expect(await healthOf(component)).toEqual(['OK'])
  })

  it('is degraded while failed messages wait for an operator, each queue in its own component', async () => {
    const sentence = (what: string) => `messages of ${what} that no worker could handle await an operator (dead-letters list): 1`
    await run(`insert into outbox_dead_letter (queue, kind, content, format, reason) values ('delegations', 'x', '{}', 1, 'y')`)
    expect(await healthOf('administration')).toEqual(['DEGRADED', `message_broker DEGRADED: ${sentence('delegations')}`])
    expect(await healthOf('classification')).toEqual(['OK'])
    await run(`update outbox_dead_letter set queue = 'expressions'`)
    expect(await healthOf('administration')).toEqual(['OK'])
    expect(await healthOf('classification')).toEqual(['DEGRADED', `analytics_database DEGRADED: ${sentence('expressions')}`])
    await run('delete from outbox_dead_letter')
  })

  it('is degraded while changes wait without a worker to count or index them, reported per follower', async () => {
    await run(`insert into event_topic (topic, position) values ('analytics', 2)`)
    await run(
      `insert into event (topic, position, kind, id, at) select 'analytics', n, 'expression_added', 'x', now() - interval '40 seconds' from generate_series(1, 2) n`,
    )
    expect(await healthOf('exploration')).toEqual([
      'DEGRADED',
      waitingFor('analytics_database DEGRADED: The oldest change that the roll-ups do not contain'),
    ])
    expect(await healthOf('classification')).toEqual([
      'DEGRADED',
      waitingFor('search_index DEGRADED: The oldest change that is missing in the search index'),
    ])
    await run(
      `insert into event_cursor (topic, follower, position) values ('analytics', 'exploration', 2), ('analytics', 'search-index', 1)`,
    )
    expect(await healthOf('exploration')).toEqual(['OK'])
    expect(await healthOf('classification')).toEqual(['DEGRADED', waited])
  })

  it('is degraded while failed steps wait without a worker to retry them', async () => {
    await run(`insert into expression_retry (id, given, next_at) values (gen_random_uuid(), '{}', now() + interval '1 hour')`)
    expect((await healthOf('classification')).join()).not.toContain('step')
    await run(`update expression_retry set next_at = now() - interval '40 seconds'`)
    expect(await healthOf('classification')).toContainEqual(
      waitingFor('analytics_database DEGRADED: The oldest failed step that is due for a retry'),
    )
    await run('delete from expression_retry')
  })

  it('is degraded while due starts and ends of delegations are not applied', async () => {
    const columns = 'id, delegator_code, delegate_code, group_id, scope, status, starts_at, ends_at, created_at, updated_at, revised_at'
    const due = ['DEGRADED', waitingFor('analytics_database DEGRADED: The oldest delegation that is due for a status change')]
    await run(
      `insert into delegation (${columns}) values ('d', 'a', 'b', 'g', 's', 'pending', now() - interval '40 seconds', null, now(), now(), now())`,
    )
    expect(await healthOf('administration')).toEqual(due)
    await run(`update delegation set status = 'active', ends_at = now() + interval '1 hour'`)
    expect(await healthOf('administration')).toEqual(['OK'])
    await run(`update delegation set ends_at = now() - interval '40 seconds'`)
    expect(await healthOf('administration')).toEqual(due)
    await run('delete from delegation')
  })

  it('is degraded while delegation messages wait on the broker', async () => {
    const connection = { kind: 'postgres', url: () => database.url } as const
    const sender = openQueue('message queue', { name: delegationsQueue, connection, log: silentLog })
    await sender.start(AbortSignal.timeout(60_000))
    await sender.ask((queue) => queue.add('delegation.changed', {}, { timestamp: Date.now() - 40_000 }), AbortSignal.timeout(10_000))
    expect(await healthOf('administration')).toEqual([
      'DEGRADED',
      waitingFor('message_broker DEGRADED: The oldest waiting delegation message'),
    ])
    await sender.stop()
  })

  it('is degraded while jobs wait without a worker or without progress, but not while jobs are completed', async () => {
    await run(
      `insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class, queued_at)
       select 'waits-' || n, 'desk', 'c', 'CNI', 'FR', 'normal', 1, now() - interval '40 seconds' from generate_series(1, 2) n`,
    )
    expect(await healthOf('verification')).toEqual(['DEGRADED', waitingFor('queue DEGRADED: The next job, for which no worker runs,')])
    await run(`insert into verification_worker (id, concurrency) values ('w', 1)`)
    expect(await healthOf('verification')).toEqual(['DEGRADED', waitingFor('queue DEGRADED: The next job')])
    await run(`update verification_job set status = 'processing', lease_until = now() + interval '15 seconds' where id = 'waits-1'`)
    expect(await healthOf('verification')).toEqual(['OK'])
    await run(`insert into event_topic (topic, position) values ('verification', 1)`)
    await run(`insert into event (topic, position, kind, id) values ('verification', 1, 'completed', 'waits-1')`)
    await run(`update verification_job set status = 'completed', completed_at = now() where id = 'waits-1'`)
    expect(await healthOf('verification')).toEqual(['OK'])
    await run(`update event set at = now() - interval '41 seconds' where topic = 'verification'`)
    expect(await healthOf('verification')).toEqual(['DEGRADED', waitingFor('queue DEGRADED: The next job')])
    await run(`delete from verification_job; delete from event where topic = 'verification'`)
  })

  it('is degraded while a job of an ended worker waits for another worker', async () => {
    await run(
      `insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class, status, lease_until)
       values ('left', 'desk', 'c', 'CNI', 'FR', 'normal', 1, 'processing', now() - interval '40 seconds')`,
    )
    expect(await healthOf('verification')).toEqual(['DEGRADED', waitingFor('queue DEGRADED: The next job')])
    await run('delete from verification_job')
  })

  it('is degraded while due callbacks are not delivered, but not while deliveries are attempted', async () => {
    await run(
      `insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class)
       select 'job-' || n, 'desk', 'c', 'CNI', 'FR', 'normal', 1 from generate_series(1, 2) n`,
    )
    await run(
      `insert into verification_callback (job_id, owner, receiver, next_at) values ('job-1', 'desk', 'https://a', now() - interval '40 seconds')`,
    )
    expect(await healthOf('verification')).toEqual(['DEGRADED', waitingFor('database DEGRADED: The oldest due callback')])
    await run(
      `insert into verification_callback (job_id, owner, receiver, next_at) values ('job-2', 'desk', 'https://b', now() + interval '55 seconds')`,
    )
    expect(await healthOf('verification')).toEqual(['OK'])
  })
})

describe('metrics', () => {
  it('report how long a job has waited without a worker', async () => {
    await run(
      `insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class, queued_at)
       values ('alone', 'desk', 'c', 'CNI', 'FR', 'normal', 1, now() - interval '40 seconds')`,
    )
    await run('delete from verification_worker')
    const registry = registries.of('verification')
    const metrics = await registry.metrics()
    expect(metrics).toMatch(/^civigraph_verification_oldest_job_seconds 4\d/m)
    expect(metrics).toMatch(/^civigraph_verification_workers 0$/m)
  })
})
