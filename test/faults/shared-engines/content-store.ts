import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ContentClient, snapshotHas, treeRows } from '../../support/clients/content-client.ts'
import { freshKeyspace } from '../../support/engines/cassandra.ts'
import { realCassandra, realPostgres, realRedis, skippedWithout } from '../../support/engines/engines.ts'
import type { System } from '../../support/processes/platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'
import { closedAfterEach } from '../../support/run/closed-after-each.ts'

const open = closedAfterEach()

/** Kills the store of the trees while a platform serves one, and starts it again. */
async function killStoreUnder(
  system: System,
  store: string,
  engine: { kill(): Promise<unknown>; start(): Promise<unknown> },
): Promise<void> {
  const admin = new ContentClient(system.rest.content, { 'x-service-api-key': system.apiKey })
  await expect.poll(() => admin.get('/health')).toMatchObject({ body: { checks: { tree_store: { engine: store, status: 'ok' } } } })
  expect(await admin.lines(treeRows(500, 'Kept'))).toMatchObject({ status: 200, body: { created: 500 } })
  expect((await admin.create({ id: 'last', title: 'Kept last', parent_id: 'n0' })).status).toBe(201)
  const whole = (await admin.get('/nodes/n0/full')).text
  await expect.poll(() => snapshotHas(system, 'last')).toBe(true)

  await engine.kill()
  try {
    const root = await admin.get('/api/v1/nodes/root')
    expect(root).toMatchObject({ status: 200, body: { source: 'snapshot', snapshot_at: expect.any(String) } })
    expect(root.headers.get('x-content-source')).toBe('snapshot')
    expect(root.headers.get('x-content-snapshot-at')).toBe(root.body.snapshot_at)
    expect((await admin.get('/nodes/n0/full')).text).toBe(whole)
    expect((await admin.get('/api/v1/export')).body).toHaveLength(501)
    const pdf = await admin.get('/api/v1/pdf')
    expect([pdf.status, pdf.headers.get('x-content-source')]).toEqual([200, 'snapshot'])
    const refused = await admin.create({ title: 'No', parent_id: 'n0' })
    expect(refused).toMatchObject({ status: 503 })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await admin.lines(treeRows(3, 'No'))).toMatchObject({ status: 503 })
    expect(await admin.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { tree_store: { status: 'down' } } },
    })
  } finally {
    await engine.start()
  }
  for (const until = Date.now() + 60_000; (await admin.get('/api/v1/nodes/root')).body.source !== 'store'; await sleep(100))
    expect(Date.now()).toBeLessThan(until)
  expect((await admin.get('/nodes/n0/full')).text).toBe(whole)
  for (const until = Date.now() + 60_000; ; await sleep(200)) {
    const { status } = await admin.create({ id: 'again', title: 'Again', parent_id: 'last' })
    if (status < 300) break
    expect(status).toBe(503)
    expect(Date.now()).toBeLessThan(until)
  }
}

const control = process.env.ENGINE_CTL
const engineNamed = (name: string) => ({
  kill: () => promisify(execFile)(control ?? '', ['kill', name]),
  start: () => promisify(execFile)(control ?? '', ['up', name]),
})
const afterwards = 'reads continue from the snapshot, writes are refused, and both recover without operator action and without loss'

const cassandra = realCassandra()
if (cassandra === undefined || control === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS and ENGINE_CTL', 'Cassandra is killed')
else
  describe('Cassandra is killed', () => {
    it(afterwards, { timeout: 300_000 }, async () => {
      const keyspace = await freshKeyspace(cassandra)
      open.push(keyspace)
      const system = await startSystem({
        components: ['content'],
        env: {
          ADMIN_AUTH: 'token-or-key',
          CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
          CASSANDRA_LOCAL_DATACENTER: cassandra.localDataCenter,
          CASSANDRA_KEYSPACE: keyspace.keyspace,
        },
      })
      open.push(system)
      await killStoreUnder(system, 'cassandra', engineNamed('cassandra'))
    })
  })

if (realPostgres() === undefined || realRedis() === undefined || control === undefined)
  skippedWithout('DATABASE_URL, REDIS_URL and ENGINE_CTL', 'PostgreSQL is killed')
else
  describe('PostgreSQL is killed', () => {
    it(afterwards, { timeout: 300_000 }, async () => {
      const system = await startSystem({ engines: 'real', components: ['content'], env: { ADMIN_AUTH: 'token-or-key' } })
      open.push(system)
      await killStoreUnder(system, 'postgresql', engineNamed('postgres'))
    })
  })
