import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ContentClient, snapshotHas, treeRows } from '../support/clients/content-client.ts'
import { freePortBase } from '../support/processes/free-ports.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'

const open = closedAfterEach()

const titles = async (client: ContentClient): Promise<ReadonlySet<string>> =>
  new Set(((await client.get('/api/v1/export')).body as { title: string }[]).map(({ title }) => title.split(' ')[0] ?? ''))

describe('kill -9 of the platform in the middle of an import', () => {
  it('leaves the complete old tree, and the import can be repeated', { timeout: 300_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-content-'))
    open.push({ [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }) })
    const portBase = await freePortBase()
    const start = async () => {
      const system = await startSystem({ components: ['content'], dataDir, portBase, env: { ADMIN_AUTH: 'token-or-key' } })
      return { system, admin: new ContentClient(system.rest.content, { 'x-service-api-key': system.apiKey }) }
    }
    const first = await start()
    expect(await first.admin.lines(treeRows(3000, 'Old'))).toMatchObject({ status: 200, body: { created: 3000 } })
    let { system, admin } = first
    for (const afterMs of [100, 500, 1000]) {
      const importing = admin.lines(treeRows(20_000, 'New'), '?mode=replace').catch(() => undefined)
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
    expect(await admin.lines(treeRows(20_000, 'New'), '?mode=replace')).toMatchObject({ status: 200, body: { received: 20_000 } })
    expect(await titles(admin)).toEqual(new Set(['New']))
    await system.stop()
  })
})

describe('the database of the platform is killed', () => {
  it('reads continue for all clients, and it restarts without operator action and without loss', { timeout: 300_000 }, async () => {
    const system = await startSystem({ components: ['content'], env: { ADMIN_AUTH: 'token-or-key' } })
    open.push(system)
    const admin = new ContentClient(system.rest.content, { 'x-service-api-key': system.apiKey })
    expect(await admin.lines(treeRows(500, 'Kept'))).toMatchObject({ status: 200, body: { created: 500 } })
    expect((await admin.create({ id: 'last', title: 'Kept last', parent_id: 'n0' })).status).toBe(201)
    const whole = (await admin.get('/nodes/n0/full')).text
    await expect.poll(() => snapshotHas(system, 'last')).toBe(true)
    const { folder } = JSON.parse(await readFile(join(system.dataDir, 'postgres.json'), 'utf8')) as { folder: string }
    process.kill(Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL')
    const sources = new Set<string | null>()
    for (const until = Date.now() + 60_000; !(sources.has('snapshot') && sources.has('store')); await sleep(20)) {
      expect(Date.now()).toBeLessThan(until)
      const answer = await admin.get('/nodes/n0/full')
      expect([answer.status, answer.text === whole]).toEqual([200, true])
      // reads that succeed before the platform notices the failure prove nothing
      if (answer.headers.get('x-content-source') === 'snapshot' || sources.size > 0) sources.add(answer.headers.get('x-content-source'))
    }
    expect((await admin.create({ title: 'Again', parent_id: 'last' })).status).toBe(201)
  })
})
