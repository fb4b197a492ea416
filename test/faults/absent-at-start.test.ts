import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContentClient } from '../support/clients/content-client.ts'
import { freshKeyspace } from '../support/engines/cassandra.ts'
import { realCassandra, realElasticsearch, realRedis, relationalEngines, skippedWithout } from '../support/engines/engines.ts'
import { type Gate, openGate } from '../support/processes/gate.ts'
import { components, type System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { Citizen } from '../support/samples/citizen.ts'

const callers = (system: System) =>
  Object.fromEntries(
    components.map((name) => [name, new ContentClient(system.rest[name], { 'x-service-api-key': system.apiKey })]),
  ) as Record<(typeof components)[number], ContentClient>

/** Waits until every process accepts requests, with or without its engines. */
async function expectReady(system: System): Promise<void> {
  const gateway = system.graphqlUrl.replace(/\/graphql$/, '')
  for (const base of [gateway, ...Object.values(system.rest)]) expect((await fetch(`${base}/health/ready`)).status).toBe(200)
  const metrics = system.processes.map(({ output }) => /metrics +(http\S+)\/metrics/.exec(output())?.[1])
  for (const base of metrics) expect((await fetch(`${base}/health/ready`)).status).toBe(200)
}

const gatewayStatus = async (system: System): Promise<string> => {
  const answer = await fetch(system.graphqlUrl.replace(/graphql$/, 'health'), { signal: AbortSignal.timeout(60_000) })
  return ((await answer.json()) as { status: string }).status
}

const cassandra = realCassandra()
const [redis, elasticsearch] = [realRedis(), realElasticsearch()]
const postgres = relationalEngines().find(({ name }) => name === 'real PostgreSQL')
if (cassandra === undefined || redis === undefined || elasticsearch === undefined || postgres === undefined)
  skippedWithout(
    'DATABASE_URL, REDIS_URL, ELASTICSEARCH_URL and CASSANDRA_CONTACT_POINTS',
    'engines are unavailable when the platform starts',
  )
else
  describe('a platform that starts without any engine', { timeout: 400_000 }, () => {
    const gates = {} as Record<'postgres' | 'redis' | 'elasticsearch' | 'cassandra', Gate>
    let system: System
    let citizen: Citizen
    let rest: ReturnType<typeof callers>
    const opened = new AsyncDisposableStack()
    beforeAll(async () => {
      const [database, keyspace] = [opened.use(await postgres.open()), opened.use(await freshKeyspace(cassandra))]
      const absent = async (url: string): Promise<Gate> => opened.use(await openGate(url, 'absent'))
      gates.postgres = await absent(database.url)
      gates.redis = await absent(redis)
      gates.elasticsearch = await absent(elasticsearch)
      gates.cassandra = await absent(`http://${cassandra.contactPoints[0]}`)
      // four processes, without a worker that analyses faces
      system = await startSystem({
        layout: 'split',
        engines: 'real',
        workers: ['exploration', 'classification'],
        env: {
          ADMIN_AUTH: 'token-or-key',
          DATABASE_URL: gates.postgres.url,
          REDIS_URL: gates.redis.url,
          ELASTICSEARCH_URL: gates.elasticsearch.url,
          CASSANDRA_CONTACT_POINTS: new URL(gates.cassandra.url).host,
          CASSANDRA_LOCAL_DATACENTER: cassandra.localDataCenter,
          CASSANDRA_KEYSPACE: keyspace.keyspace,
        },
      })
      opened.use(system)
      citizen = new Citizen(system)
      rest = callers(system)
    })
    afterAll(() => opened.disposeAsync())

    it('accepts requests in every process, and responds 503 with a message where PostgreSQL is needed', async () => {
      await expectReady(system)
      const printed = system.processes.map(({ output }) => output()).join('\n')
      expect(printed).toMatch(/without +The database cannot be used: .*ECONNREFUSED/)
      expect(printed).toMatch(/without +Cassandra cannot be used: .*ECONNREFUSED/)
      expect(printed).not.toContain(`:${new URL(gates.postgres.url).password}@`)
      const refused = await rest.classification.request('POST', '/api/v1/expressions', { text: 'Le robinet ne coule plus' })
      expect(refused).toMatchObject({ status: 503, body: { detail: 'The database is not available; try again' } })
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      expect((await rest.content.create({ id: 'one', title: 'One' })).status).toBe(503)
      expect(await rest.exploration.get('/health')).toMatchObject({
        status: 503,
        body: { status: 'down', checks: { analytics_database: { status: 'down' } } },
      })
      await expect.poll(() => gatewayStatus(system)).toBe('down')
    })

    it('serves once an empty database is available: accepts expressions, and refuses searches, logins and content', async () => {
      await gates.postgres.appear()
      await expect.poll(() => citizen.post()).toBe(201)
      expect([...citizen.accepted.values()]).toEqual(['pending'])
      expect(await citizen.hitCount('robinet')).toBeUndefined()
      await expect.poll(async () => (await rest.exploration.get('/api/v1/stats')).status).toBe(200)
      await expect
        .poll(() => citizen.health('classification'))
        .toMatchObject({ status: 'degraded', checks: { search_index: { status: 'down' } } })
      await expect
        .poll(() => rest.verification.get('/health'))
        .toMatchObject({ status: 200, body: { status: 'degraded', checks: { queue: { status: 'down', engine: 'redis' } } } })
      expect(await login()).toMatchObject({ status: 503 })
      expect((await rest.content.create({ id: 'one', title: 'One' })).status).toBe(503)
      await expect.poll(() => gatewayStatus(system)).toBe('degraded')
      await expectReady(system)
    })

    it('accepts logins when Redis becomes available', async () => {
      await gates.redis.appear()
      await expect.poll(async () => (await login()).status).toBe(401)
      await expect.poll(() => rest.verification.get('/health')).toMatchObject({ body: { checks: { queue: { status: 'ok' } } } })
    })

    it('finds earlier expressions when Elasticsearch becomes available', async () => {
      await gates.elasticsearch.appear()
      await expect.poll(() => citizen.hitCount('robinet')).toBeGreaterThan(0)
    })

    it('serves everything except content without Cassandra, and content when Cassandra becomes available', async () => {
      expect(await rest.content.get('/health')).toMatchObject({
        status: 503,
        body: { status: 'down', checks: { tree_store: { status: 'down' } } },
      })
      await expect.poll(() => gatewayStatus(system)).toBe('degraded')
      await gates.cassandra.appear()
      await expect.poll(async () => (await rest.content.create({ id: 'one', title: 'One' })).status).toBe(201)
      await expect.poll(() => gatewayStatus(system)).toBe('ok')
      await expectReady(system)
    })

    const login = () => rest.administration.request('POST', '/auth/login', { email: 'unknown@example.org', password: 'wrong-password' })
  })
