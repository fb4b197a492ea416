import { graphql } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltComponents, buildComponents } from '../../../platform/components/components.ts'
import { openSharedEngines } from '../../../platform/engines/shared-engines.ts'
import { parseRoles } from '../../../platform/process/roles.ts'
import { parseConfig } from '../../../subgraphs/foundation/config/config.ts'
import { compose, type Part } from '../../../subgraphs/foundation/lifecycle.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import { removeDataDir, temporaryDataDir } from '../../support/engines/databases.ts'
import { embeddedEngine, openMigrated } from '../../support/engines/engines.ts'

/** Components A, B and C without a worker: what they are asked for waits. */
let database: Awaited<ReturnType<typeof openMigrated>>
let dataDir: string
let built: BuiltComponents
let engines: Part
beforeAll(async () => {
  database = await openMigrated(embeddedEngine)
  dataDir = await temporaryDataDir()
  const config = parseConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir }, '/')
  const shared = await openSharedEngines(config, new Uint8Array(32), true, silentLog)
  const roles = parseRoles(['subgraph:verification', 'subgraph:exploration', 'subgraph:classification'])
  if ('problems' in roles) throw new Error(roles.problems.join(' '))
  built = await buildComponents(roles, { engines: shared, config, build: { version: '1.0.0', commit: 'test' }, log: silentLog })
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

/** The whole, and the checks that are not ok with why. */
async function healthOf(component: 'verification' | 'exploration' | 'classification'): Promise<readonly (string | undefined)[]> {
  const schema = built.subgraphs.find(({ name }) => name === component)?.schema
  if (schema === undefined) throw new Error(`${component} was not built`)
  const { data } = await graphql({ schema, source: `{ health: ${component}Health { status checks { name status error } } }` })
  const { status, checks } = (data as { health: { status: string; checks: { name: string; status: string; error: string | null }[] } })
    .health
  return [status, ...checks.filter((check) => check.status !== 'OK').map(({ name, status: each, error }) => `${name} ${each}: ${error}`)]
}

const waited = expect.stringMatching(/ has been waiting for 4\d s$/)
const told = (sentence: string) => expect.stringMatching(new RegExp(`^${sentence} has been waiting for 4\\d s$`))

describe('health', () => {
  it('is ok while nothing waits', async () => {
    for (const component of ['verification', 'exploration', 'classification'] as const) expect(await healthOf(component)).toEqual(['OK'])
  })

  it('is degraded while expressions wait that nobody writes', async () => {
    await run(`insert into outbox (queue, kind, content, at) values ('expressions', 'expression', '{}', now() - interval '20 seconds')`)
    expect(await healthOf('classification')).toEqual(['OK'])
    await run(`update outbox set at = now() - interval '40 seconds'`)
    expect(await healthOf('classification')).toEqual([
      'DEGRADED',
      told('analytics_database DEGRADED: The oldest expression that is not written'),
    ])
    await run('delete from outbox')
    expect(await healthOf('classification')).toEqual(['OK'])
  })

  it('is degraded while messages, jobs or changes wait that only a newer release can read', async () => {
    const aged = `now() - interval '20 seconds'`
    await run(`insert into outbox (queue, kind, content, at, format) values ('expressions', 'expressions', '{}', ${aged}, 2)`)
    expect(await healthOf('classification')).toEqual([
      'DEGRADED',
      'analytics_database DEGRADED: messages with expressions of a newer release wait for a process of that release: 1',
    ])
    await run('delete from outbox')
    await run(
      `insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class, queued_at, format)
       values ('newer', 'desk', 'c', 'CNI', 'FR', 'normal', 1, ${aged}, 2)`,
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

  it('is degraded while changes wait that nobody counts or puts into the search index, each for its own follower', async () => {
    await run(`insert into event_topic (topic, position) values ('analytics', 2)`)
    await run(
      `insert into event (topic, position, kind, id, at) select 'analytics', n, 'expression_added', 'x', now() - interval '40 seconds' from generate_series(1, 2) n`,
    )
    expect(await healthOf('exploration')).toEqual(['DEGRADED', told('analytics_database DEGRADED: The oldest change that is not counted')])
    expect(await healthOf('classification')).toEqual([
      'DEGRADED',
      told('search_index DEGRADED: The oldest change that is not in the search index'),
    ])
    await run(
      `insert into event_cursor (topic, follower, position) values ('analytics', 'exploration', 2), ('analytics', 'search-index', 1)`,
    )
    expect(await healthOf('exploration')).toEqual(['OK'])
    expect(await healthOf('classification')).toEqual(['DEGRADED', waited])
  })

  it('is degraded while callbacks are due that nobody delivers, but not while some are being tried', async () => {
    await run(
      `insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class)
       select 'job-' || n, 'desk', 'c', 'CNI', 'FR', 'normal', 1 from generate_series(1, 2) n`,
    )
    await run(
      `insert into verification_callback (job_id, owner, receiver, next_at) values ('job-1', 'desk', 'https://a', now() - interval '40 seconds')`,
    )
    expect(await healthOf('verification')).toEqual(['DEGRADED', told('database DEGRADED: The oldest callback that is due')])
    await run(
      `insert into verification_callback (job_id, owner, receiver, next_at) values ('job-2', 'desk', 'https://b', now() + interval '55 seconds')`,
    )
    expect(await healthOf('verification')).toEqual(['OK'])
  })
})
