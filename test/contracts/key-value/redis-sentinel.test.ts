import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bullmqJobQueue } from '../../../engines/job-queue/bullmq-job-queue.ts'
import { bullmqJobWorker } from '../../../engines/job-queue/bullmq-job-worker.ts'
import { redisKeyValue } from '../../../engines/key-value/redis-key-value.ts'
import { silentLog } from '../../../foundation/log.ts'
import { examineRedis } from '../../../platform/doctor/redis.ts'
import { hasRedis } from '../../support/engines/redis/server.ts'
import { freePortBase } from '../../support/processes/free-ports.ts'

const [described, about] = (await hasRedis())
  ? [describe, 'Redis behind a sentinel']
  : [describe.skip, 'Redis behind a sentinel: SKIPPED, this machine has no redis-server']
const password = 'a password of both servers'

described(about, () => {
  const running: ReturnType<typeof spawn>[] = []
  const open: { stop(): Promise<unknown> }[] = []
  let folder: string
  let base: number
  let address: { url: string; sentinel: { nodes: { host: string; port: number }[]; name: string } }
  const server = async (words: readonly string[], port: number): Promise<void> => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--logfile', '']
    const child = spawn('redis-server', [...words, ...options], { stdio: 'ignore' })
    running.push(child)
    const client = new Redis({ port, lazyConnect: true, maxRetriesPerRequest: null, ...(words[1] === '--sentinel' ? {} : { password }) })
    client.on('error', () => undefined)
    await client.ping()
    client.disconnect()
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'civigraph-sentinel-'))
    base = await freePortBase()
    const auth = ['--requirepass', password, '--masterauth', password, '--save', '']
    await server(auth, base)
    await server([...auth, '--replicaof', `127.0.0.1 ${base}`], base + 1)
    const rules = `sentinel monitor town 127.0.0.1 ${base} 1
sentinel auth-pass town "${password}"
sentinel down-after-milliseconds town 500
sentinel failover-timeout town 3000
`
    await writeFile(join(folder, 'sentinel.conf'), rules)
    await server([join(folder, 'sentinel.conf'), '--sentinel'], base + 2)
    address = {
      // no client connects to this host: the sentinel names the master
      url: `redis://:${encodeURIComponent(password)}@nowhere.invalid:1/0`,
      sentinel: { nodes: [{ host: '127.0.0.1', port: base + 2 }], name: 'town' },
    }
  })
  afterAll(async () => {
    await Promise.all(open.map((part) => part.stop()))
    await Promise.all(
      running.map(async (child) => {
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }),
    )
    await rm(folder, { recursive: true, force: true })
  })

  it('is located, and located again after another server has become the master', async () => {
    const signal = AbortSignal.timeout(60_000)
    const store = redisKeyValue({ ...address, prefix: 'town', log: silentLog })
    const connection = { kind: 'redis', ...address, prefix: 'town' } as const
    const queue = bullmqJobQueue({ name: 'jobs', connection, log: silentLog })
    const done: string[] = []
    const handler = async (id: string): Promise<void> => void done.push(id)
    const worker = bullmqJobWorker({ name: 'jobs', connection, log: silentLog, concurrency: 1, handler })
    for (const part of [store, queue, worker]) {
      open.unshift(part)
      await part.start(signal)
    }
    const examined = async () => (await examineRedis(address, 2000)).engine
    const stored = (value: string) => store.set('key', value, 60_000).then(() => store.get('key'))
    await expect.poll(() => stored('before').catch(() => undefined)).toBe('before')
    const added = (id: string) =>
      queue.add([{ id, priority: 1 }], signal).then(
        () => id,
        () => undefined,
      )
    expect(await added('one')).toBe('one')
    await expect.poll(() => done).toContain('one')
    expect(await examined()).toMatch(/^Redis \d/)
    // the replica has the acknowledged value
    const replica = new Redis({ port: base + 1, password })
    await expect.poll(() => replica.get('town:kv:key')).toBe('before')
    replica.disconnect()

    running[0]?.kill('SIGKILL')
    await expect.poll(() => store.get('key').catch(() => undefined)).toBe('before')
    expect(await stored('after')).toBe('after')
    await expect.poll(() => added('two')).toBe('two')
    await expect.poll(() => done).toContain('two')
    expect(await examined()).toMatch(/^Redis \d/)
  })
})
