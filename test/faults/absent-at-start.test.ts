import { describe, expect, it } from 'vitest'
import { ContentClient } from '../support/clients/content-client.ts'
import { freshKeyspace } from '../support/engines/cassandra.ts'
import { realCassandra, realElasticsearch, realPostgres, realRedis, relationalEngines, skippedWithout } from '../support/engines/engines.ts'
import { type Gate, openGate } from '../support/processes/gate.ts'
import { components, type System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'
import { Citizen } from '../support/samples/citizen.ts'

const open = closedAfterEach()

/** A way to the engine at whose end nothing listens yet. */
async function absent(url: string): Promise<Gate> {
  const gate = await openGate(url, 'absent')
  open.push(gate)
  return gate
}

/** The platform in four processes, without a worker that looks at faces. */
async function start(env: Readonly<Record<string, string>>): Promise<System> {
  const system = await startSystem({
    layout: 'split',
    engines: 'real',
    workers: ['exploration', 'classification'],
    env: { ADMIN_AUTH: 'token-or-key', ...env },
  })
  open.push(system)
  return system
}

const callers = (system: System) =>
  Object.fromEntries(
    components.map((name) => [name, new ContentClient(system.rest[name], { 'x-service-api-key': system.apiKey })]),
  ) as Record<(typeof components)[number], ContentClient>

/** Every process of it takes requests, whatever its engines do. */
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

const everythingIsWell = async (system: System): Promise<void> => {
  await expect.poll(() => gatewayStatus(system)).toBe('ok')
  await expectReady(system)
}

const cassandra = realCassandra()
const [redis, elasticsearch] = [realRedis(), realElasticsearch()]
if (cassandra === undefined || redis === undefined || elasticsearch === undefined || realPostgres() === undefined)
  skippedWithout('DATABASE_URL, REDIS_URL, ELASTICSEARCH_URL and CASSANDRA_CONTACT_POINTS', 'an engine is away when the platform starts')
else
  describe('a platform that starts without', { timeout: 400_000 }, () => {
    it('Cassandra serves everything but content, which comes when Cassandra does', async () => {
      const gate = await absent(`http://${cassandra.contactPoints[0]}`)
      const keyspace = await freshKeyspace(cassandra)
      open.push(keyspace)
      const system = await start({
        CASSANDRA_CONTACT_POINTS: new URL(gate.url).host,
        CASSANDRA_LOCAL_DATACENTER: cassandra.localDataCenter,
        CASSANDRA_KEYSPACE: keyspace.keyspace,
      })
      const { content, exploration } = callers(system)
      await expectReady(system)
      expect(system.processes.map(({ output }) => output()).join('\n')).toMatch(/without +Cassandra cannot be used: .*ECONNREFUSED/)
      expect(await content.create({ id: 'one', title: 'One' })).toMatchObject({ status: 503 })
      expect(await content.get('/health')).toMatchObject({
        status: 503,
        body: { status: 'down', checks: { tree_store: { status: 'down' } } },
      })
      expect((await exploration.get('/api/v1/stats')).status).toBe(200)
      await expect.poll(() => new Citizen(system).say()).toBe(201)
      await expect.poll(() => gatewayStatus(system)).toBe('degraded')

      await gate.appear()
      await expect.poll(async () => (await content.create({ id: 'one', title: 'One' })).status).toBe(201)
      await everythingIsWell(system)
    })

    it('Redis takes in everything and refuses logins, until Redis comes', async () => {
      const gate = await absent(redis)
      const system = await start({ REDIS_URL: gate.url })
      const { administration, content, verification } = callers(system)
      await expectReady(system)
      const login = () => administration.request('POST', '/auth/login', { email: 'nobody@example.org', password: 'wrong-password' })
      expect(await login()).toMatchObject({ status: 503 })
      await expect.poll(() => new Citizen(system).say()).toBe(201)
      expect((await content.create({ id: 'one', title: 'One' })).status).toBe(201)
      expect(await verification.get('/health')).toMatchObject({
        status: 200,
        body: { status: 'degraded', checks: { queue: { status: 'down', engine: 'redis' } } },
      })
      await expect.poll(() => gatewayStatus(system)).toBe('degraded')

      await gate.appear()
      await expect.poll(async () => (await login()).status).toBe(401)
      await everythingIsWell(system)
    })

    it('Elasticsearch takes in expressions and refuses searches, until Elasticsearch comes', async () => {
      const gate = await absent(elasticsearch)
      const system = await start({ ELASTICSEARCH_URL: gate.url })
      const citizen = new Citizen(system)
      await expectReady(system)
      await expect.poll(() => citizen.say()).toBe(201)
      expect([...citizen.accepted.values()]).toEqual(['pending'])
      expect(await citizen.found('robinet')).toBeUndefined()
      expect(await citizen.health('classification')).toMatchObject({ status: 'degraded', checks: { search_index: { status: 'down' } } })

      await gate.appear()
      await expect.poll(() => citizen.found('robinet')).toBeGreaterThan(0)
      await everythingIsWell(system)
    })

    it('PostgreSQL starts, answers 503 with a sentence, and serves on an empty database once there is one', async () => {
      const engine = relationalEngines().find(({ name }) => name === 'real PostgreSQL')
      const fresh = await engine?.open()
      if (fresh === undefined) throw new Error('there is no PostgreSQL')
      open.push(fresh)
      const gate = await absent(fresh.url)
      const system = await start({ DATABASE_URL: gate.url })
      const { classification, content, exploration } = callers(system)
      await expectReady(system)
      const printed = system.processes.map(({ output }) => output()).join('\n')
      expect(printed).toMatch(/without +The database cannot be used: .*ECONNREFUSED/)
      expect(printed).not.toContain(`:${new URL(fresh.url).password}@`)
      const refused = await classification.request('POST', '/api/v1/expressions', { text: 'Le robinet ne coule plus' })
      expect(refused).toMatchObject({ status: 503, body: { detail: 'The database is not available; try again' } })
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      expect((await content.create({ id: 'one', title: 'One' })).status).toBe(503)
      expect(await exploration.get('/health')).toMatchObject({
        status: 503,
        body: { status: 'down', checks: { analytics_database: { status: 'down' } } },
      })
      await expect.poll(() => gatewayStatus(system)).toBe('down')

      await gate.appear()
      await expect.poll(() => new Citizen(system).say()).toBe(201)
      await expect.poll(async () => (await content.create({ id: 'one', title: 'One' })).status).toBe(201)
      await everythingIsWell(system)
      await expect.poll(async () => (await exploration.get('/api/v1/stats')).status).toBe(200)
    })
  })
