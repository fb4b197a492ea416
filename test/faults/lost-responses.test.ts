import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { ContentClient } from '../support/clients/content-client.ts'
import { postExpression, untilTaxonomyLoaded } from '../support/clients/post-expression.ts'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { freshKeyspace } from '../support/engines/cassandra.ts'
import { realCassandra, realElasticsearch, realPostgres, realRedis, skippedWithout } from '../support/engines/engines.ts'
import { type Gate, openGate } from '../support/processes/gate.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'
import { jobOf } from '../support/samples/people.ts'

const open = closedAfterEach()
const limits = { timeout: 300_000 }
const env = { REQUEST_TIMEOUT_MS: '4000', ADMIN_AUTH: 'token-or-key' }

async function gateTo(url: string): Promise<Gate> {
  const gate = await openGate(url)
  open.push(gate)
  return gate
}

async function started(options: Parameters<typeof startSystem>[0]): Promise<System> {
  const system = await startSystem(options)
  open.push(system)
  return system
}

/** Whether this is the statement that publishes a version: the only one that names its writer and the partitions of its rows. */
const publishes = (command: string): boolean =>
  /\[\{"id":\d+,"first"/.test(command) && /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.test(command)

const cassandra = realCassandra()
if (cassandra === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS', 'a response of Cassandra is lost after the commit')
else
  describe.each(['one', 'split'] as const)('a response of Cassandra is lost after the commit (%s)', (layout) => {
    it('returns 504 or the result, and a repeated request is stored once', limits, async () => {
      const keyspace = await freshKeyspace(cassandra)
      open.push(keyspace)
      const gate = await gateTo(`http://${cassandra.contactPoints[0]}`)
      const system = await started({
        layout,
        components: ['content'],
        env: {
          ...env,
          CASSANDRA_CONTACT_POINTS: new URL(gate.url).host,
          CASSANDRA_LOCAL_DATACENTER: cassandra.localDataCenter,
          CASSANDRA_KEYSPACE: keyspace.keyspace,
        },
      })
      const admin = new ContentClient(system.rest.content, { 'x-service-api-key': system.apiKey })
      const create = (name: string) => admin.create({ external_id: name, title: name, parent_id: 'root-of-all' })
      await expect.poll(async () => (await admin.create({ id: 'root-of-all', title: 'Root' })).status).toBeLessThan(300)

      const silent = create('silent')
      gate.loseAnswers(publishes)
      const unanswered = await silent
      expect(gate.lost).toBeGreaterThan(0)
      expect([unanswered.status, unanswered.body]).toEqual([504, { detail: expect.stringContaining('may have been executed') }])
      gate.open()
      await expect.poll(async () => (await create('silent')).status).toBeLessThan(300)

      const lost = gate.lost
      gate.loseAnswers(publishes)
      const cut = create('cut')
      await expect.poll(() => gate.lost).toBeGreaterThan(lost)
      // the lost response closes the connection; then the store accepts queries again
      gate.cut()
      gate.open()
      expect([200, 201, 504]).toContain((await cut).status)
      await expect.poll(async () => (await create('cut')).status).toBeLessThan(300)
      const nodes = (await admin.get('/api/v1/export')).body as readonly { readonly external_id: string | null }[]
      expect(
        nodes
          .map(({ external_id: name }) => name)
          .filter((name) => name !== null)
          .sort(),
      ).toEqual(['cut', 'silent'])
    })
  })

const redis = realRedis()
if (realPostgres() === undefined || redis === undefined)
  skippedWithout('DATABASE_URL and REDIS_URL', 'responses of Redis are lost while jobs are queued')
else
  describe('responses of Redis are lost while jobs are queued', () => {
    it('accepts jobs, returns the same job for a repeated request, and finishes each job once', limits, async () => {
      const gate = await gateTo(redis)
      const system = await started({ engines: 'real', layout: 'one', components: ['verification'], env: { ...env, REDIS_URL: gate.url } })
      const client = new VerificationClient(system)
      const job = { ...(await jobOf(5)), selfie_b64: '?' }
      const key = randomUUID()
      const submit = () => client.request<{ job_id: string }>('POST', '/jobs/submit', job, { 'idempotency-key': key })
      gate.loseAnswers()
      const first = await submit()
      expect(first.status).toBe(202)
      expect(gate.lost).toBeGreaterThan(0)
      gate.open()
      expect(await submit()).toMatchObject({ body: { job_id: first.body.job_id } })
      await client.untilFinished([first.body.job_id])
      const database = new pg.Client({ connectionString: system.env.DATABASE_URL })
      await database.connect()
      open.push({ [Symbol.asyncDispose]: () => database.end() })
      const { rows } = await database.query(`select id, count(*)::int as n from event where topic = 'verification' group by id`)
      expect(rows).toEqual([{ id: first.body.job_id, n: 1 }])
    })
  })

const elasticsearch = realElasticsearch()
if (realPostgres() === undefined || redis === undefined || elasticsearch === undefined)
  skippedWithout('DATABASE_URL, REDIS_URL and ELASTICSEARCH_URL', 'responses of Elasticsearch are lost while expressions are indexed')
else
  describe('responses of Elasticsearch are lost while expressions are indexed', () => {
    it('accepts expressions, returns the same expression for a repeated request, and finds each one once', limits, async () => {
      const gate = await gateTo(elasticsearch)
      const system = await started({
        engines: 'real',
        layout: 'one',
        components: ['classification'],
        env: { ...env, ELASTICSEARCH_URL: gate.url },
      })
      await untilTaxonomyLoaded(system)
      const expression = { text: 'Le pont de la rivière est cassé', source: 'web', external_id: randomUUID() }
      await expect.poll(async () => (await postExpression(system, { ...expression, external_id: randomUUID() })).status).toBe(201)
      const lost = gate.lost
      gate.loseAnswers()
      const first = await postExpression(system, expression)
      expect(first.status).toBe(201)
      expect(gate.lost).toBeGreaterThan(lost)
      gate.open()
      const again = await postExpression(system, expression)
      expect([again.status, again.body.id]).toEqual([200, first.body.id])
      const search = 'query ($input: SearchExpressionsInput!) { searchExpressions(input: $input) { nodes { id } } }'
      const hitCount = async () => {
        const answer = await fetch(system.graphqlUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: search, variables: { input: { text: expression.text } } }),
        })
        return (await answer.text()).split(`"${first.body.id}"`).length - 1
      }
      await expect.poll(hitCount, limits).toBe(1)
    })
  })
