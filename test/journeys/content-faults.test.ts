import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { freshKeyspace } from '../support/cassandra.ts'
import { ContentClient } from '../support/content-client.ts'
import { realCassandra, realPostgres, realRedis, skippedWithout } from '../support/engines.ts'
import { freePortBase, type System, startSystem } from '../support/start-system.ts'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

const rowsOf = (count: number, title: string) =>
  Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    title: `${title} ${n}`,
    position: n,
    ...(n === 0 ? {} : { parent_id: `n${Math.floor((n - 1) / 10)}` }),
  }))
const titles = async (client: ContentClient): Promise<ReadonlySet<string>> =>
  new Set(((await client.get('/api/v1/export')).body as { title: string }[]).map(({ title }) => title.split(' ')[0] ?? ''))

describe('kill -9 of the platform in the middle of an import', () => {
  it('leaves the old tree, whole, and lets the import be sent again', { timeout: 300_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-content-'))
    open.push({ [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }) })
    const portBase = await freePortBase()
    const start = async () => {
      const system = await startSystem({ dataDir, portBase, env: { ADMIN_AUTH: 'token-or-key' } })
      return { system, admin: new ContentClient(system.rest.content, { 'x-service-api-key': system.apiKey }) }
    }
    const first = await start()
    expect(await first.admin.lines(rowsOf(3000, 'Old'))).toMatchObject({ status: 200, body: { created: 3000 } })
    let { system, admin } = first
    for (const afterMs of [100, 500, 1000]) {
      const importing = admin.lines(rowsOf(20_000, 'New'), '?mode=replace').catch(() => undefined)
      await sleep(afterMs)
      system.processes[0]?.child.kill('SIGKILL')
      await system.processes[0]?.exited
      const answer = await importing
      const next = await start()
      system = next.system
      admin = next.admin
      if (answer?.status === 200) continue
      expect(await titles(admin)).toEqual(new Set(['Old']))
      expect((await admin.get('/api/v1/export')).body).toHaveLength(3000)
    }
    expect(await admin.lines(rowsOf(20_000, 'New'), '?mode=replace')).toMatchObject({ status: 200, body: { received: 20_000 } })
    expect(await titles(admin)).toEqual(new Set(['New']))
    await system.stop()
  })
})

/** Kills what the trees are kept in under a platform that serves one, and starts it again. */
async function killUnder(system: System, store: string, engine: { kill(): Promise<unknown>; start(): Promise<unknown> }): Promise<void> {
  const admin = new ContentClient(system.rest.content, { 'x-service-api-key': system.apiKey })
  expect(await admin.get('/health')).toMatchObject({ body: { checks: { tree_store: { engine: store, status: 'ok' } } } })
  expect(await admin.lines(rowsOf(500, 'Kept'))).toMatchObject({ status: 200, body: { created: 500 } })
  expect((await admin.create({ id: 'last', title: 'Kept last', parent_id: 'n0' })).status).toBe(201)
  const whole = (await admin.get('/nodes/n0/full')).text
  await sleep(5000)

  await engine.kill()
  try {
    const from = performance.now()
    const root = await admin.get('/api/v1/nodes/root')
    expect(performance.now() - from).toBeLessThan(1000)
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
    expect(await admin.lines(rowsOf(3, 'No'))).toMatchObject({ status: 503 })
    expect(await admin.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { tree_store: { status: 'down' } } },
    })
  } finally {
    await engine.start()
  }
  for (const until = Date.now() + 30_000; (await admin.get('/api/v1/nodes/root')).body.source !== 'store'; await sleep(100))
    expect(Date.now()).toBeLessThan(until)
  expect((await admin.get('/nodes/n0/full')).text).toBe(whole)
  for (const until = Date.now() + 30_000; ; await sleep(200)) {
    const { status } = await admin.create({ id: 'again', title: 'Again', parent_id: 'last' })
    if (status < 300) break
    expect(status).toBe(503)
    expect(Date.now()).toBeLessThan(until)
  }
}

describe('the database of the platform is killed', () => {
  it('reads go on, whoever asks meanwhile, and it comes back by itself with nothing lost', { timeout: 300_000 }, async () => {
    const system = await startSystem({ env: { ADMIN_AUTH: 'token-or-key' } })
    open.push(system)
    const admin = new ContentClient(system.rest.content, { 'x-service-api-key': system.apiKey })
    expect(await admin.lines(rowsOf(500, 'Kept'))).toMatchObject({ status: 200, body: { created: 500 } })
    expect((await admin.create({ id: 'last', title: 'Kept last', parent_id: 'n0' })).status).toBe(201)
    const whole = (await admin.get('/nodes/n0/full')).text
    await sleep(5000)
    const { folder } = JSON.parse(await readFile(join(system.dataDir, 'postgres.json'), 'utf8')) as { folder: string }
    process.kill(Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL')
    const sources = new Set<string | null>()
    for (const until = Date.now() + 60_000; !(sources.has('snapshot') && sources.has('store')); await sleep(20)) {
      expect(Date.now()).toBeLessThan(until)
      const answer = await admin.get('/nodes/n0/full')
      expect([answer.status, answer.text === whole]).toEqual([200, true])
      // what is read before anybody noticed counts for nothing
      if (answer.headers.get('x-content-source') === 'snapshot' || sources.size > 0) sources.add(answer.headers.get('x-content-source'))
    }
    expect((await admin.create({ title: 'Again', parent_id: 'last' })).status).toBe(201)
  })
})

const control = process.env.ENGINE_CTL
const engineNamed = (name: string) => ({
  kill: () => promisify(execFile)(control ?? '', ['kill', name]),
  start: () => promisify(execFile)(control ?? '', ['up', name]),
})
const afterwards = 'reads go on from the snapshot, writes are refused, and both come back by themselves with nothing lost'

const cassandra = realCassandra()
if (cassandra === undefined || control === undefined) skippedWithout('CASSANDRA_CONTACT_POINTS and ENGINE_CTL', 'Cassandra is killed')
else
  describe('Cassandra is killed', () => {
    it(afterwards, { timeout: 300_000 }, async () => {
      const keyspace = await freshKeyspace(cassandra)
      open.push(keyspace)
      const system = await startSystem({
        env: {
          ADMIN_AUTH: 'token-or-key',
          CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
          CASSANDRA_LOCAL_DATACENTER: cassandra.localDataCenter,
          CASSANDRA_KEYSPACE: keyspace.keyspace,
        },
      })
      open.push(system)
      await killUnder(system, 'cassandra', engineNamed('cassandra'))
    })
  })

if (realPostgres() === undefined || realRedis() === undefined || control === undefined)
  skippedWithout('DATABASE_URL, REDIS_URL and ENGINE_CTL', 'PostgreSQL is killed')
else
  describe('PostgreSQL is killed', () => {
    it(afterwards, { timeout: 300_000 }, async () => {
      const system = await startSystem({ engines: 'real', env: { ADMIN_AUTH: 'token-or-key' } })
      open.push(system)
      await killUnder(system, 'postgresql', engineNamed('postgres'))
    })
  })
