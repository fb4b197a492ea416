import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cassandra from 'cassandra-driver'
import pg from 'pg'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import type { Benchmark, Variant } from '../support/harness.ts'

const apiKey = 'a key for measuring'
const size = Number(process.env.NODES ?? 100_000)
const depth = 10_000
const roots = 500
const { DATABASE_URL: databaseUrl, CASSANDRA_CONTACT_POINTS: contactPoints, CASSANDRA_LOCAL_DATACENTER: dataCenter } = process.env

export const contentTree: Benchmark = {
  name: 'content-tree',
  about: `a tree of ${size.toLocaleString('en')} nodes, ten children each, with a text of some 300 characters; the platform runs in its own process`,
  target:
    'import under 60 s, again under 15 s with nothing written; the whole tree: first byte under 100 ms, all within 3 x the driver’s scan with JSON.stringify, memory grows by less than 150 MB; a chain of 10,000 with random positions; root p95 under 10 ms',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    if (databaseUrl === undefined) throw new Error('content-tree needs DATABASE_URL')
    const variants = [await variantOn('PostgreSQL', databaseUrl, undefined, print)]
    if (contactPoints === undefined) print('Cassandra is skipped: CASSANDRA_CONTACT_POINTS is not set')
    else variants.push(await variantOn('Cassandra', databaseUrl, contactPoints, print))
    return variants
  },
}

interface Platform {
  readonly pid: number
  readonly url: string
  stop(): Promise<void>
}

async function variantOn(name: string, server: string, points: string | undefined, print: (line: string) => void): Promise<Variant> {
  const unique = `bench_${randomBytes(6).toString('hex')}`
  await onPostgres(server, (client) => client.query(`create database ${unique}`))
  const database = new URL(server)
  database.pathname = `/${unique}`
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-tree-'))
  const start = (): Promise<Platform> =>
    startPlatform({
      DATA_DIR: dataDir,
      DATABASE_URL: database.href,
      ...(points === undefined ? {} : { CASSANDRA_CONTACT_POINTS: points, CASSANDRA_KEYSPACE: unique }),
      ...(dataCenter === undefined ? {} : { CASSANDRA_LOCAL_DATACENTER: dataCenter }),
    })
  const report = (text: string): void => print(`${name}: ${text}; the machine’s load ${loadavg()[0]?.toFixed(1)}`)

  const writing = await start()
  for (const [what, tenant, rows] of [
    [`${size} nodes`, 'large', pyramid()],
    [`a chain of ${depth} nodes with random positions`, 'deep', chain()],
  ] as const) {
    const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'))
    const before = memoryOf(writing.pid)
    const first = await bring(writing, tenant, body)
    report(`import of ${what}, ${megabytes(body.length)} MB: ${seconds(first.ms)} s, ${JSON.stringify(first.answer)}`)
    const again = await bring(writing, tenant, body)
    report(
      `the same again: ${seconds(again.ms)} s, ${JSON.stringify(again.answer)}; memory grew by ${megabytes(again.maxBytes - before)} MB`,
    )
  }
  // the snapshot of the tree is built in the background and must not overlap the measured reads
  await sleep(10_000)
  await writing.stop()

  const reading = await start()
  const scan = points === undefined ? scanPostgres(database.href) : scanCassandra(points, unique)
  const settled = memoryOf(reading.pid)
  print(`${name}: memory before the first reading ${megabytes(settled)} MB`)
  return {
    name,
    async measure() {
      const raw = await scan()
      const whole = await read(reading, '/nodes/n0/full', 'large')
      const deep = await read(reading, '/nodes/n0/full', 'deep')
      if (whole.bytes < size * 300) throw new Error('the answer is not the whole tree')
      const times: number[] = []
      for (let n = 0; n < roots; n++) times.push((await read(reading, '/api/v1/nodes/root', 'large')).wholeMs)
      times.sort((one, other) => one - other)
      return {
        'load of the machine': loadavg()[0] ?? Number.NaN,
        'driver’s scan ms': raw,
        'first byte ms': whole.firstMs,
        'whole ms': whole.wholeMs,
        'x the scan': whole.wholeMs / raw,
        'memory grew MB': (whole.maxBytes - settled) / 1e6,
        'deep first byte ms': deep.firstMs,
        'deep whole ms': deep.wholeMs,
        'root p50 ms': times[Math.floor(roots / 2)] ?? Number.NaN,
        'root p95 ms': times[Math.floor(roots * 0.95)] ?? Number.NaN,
      }
    },
    async stop() {
      await reading.stop()
      await scan(true)
      await onPostgres(server, (client) => client.query(`drop database if exists ${unique} with (force)`))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const text = 'L’eau qui arrive au robinet vient de loin. Elle est **pompée**, *filtrée*, puis contrôlée chaque semaine. '

/** Nodes in an unfavourable order: the last first, every second one later. */
function pyramid(): readonly object[] {
  const all = Array.from({ length: size }, (_, n) => ({
    ...{
      id: `n${n}`,
      external_id: `article-${n}`,
      title: `Chapitre ${n}`,
      body: `${text.repeat(3)}${n}`,
      locale: 'fr',
      position: (n * 7919) % 1009,
    },
    ...(n === 0 ? {} : { parent_id: `n${Math.floor((n - 1) / 10)}` }),
  })).reverse()
  return [...all.filter((_, at) => at % 2 === 0), ...all.filter((_, at) => at % 2 === 1)]
}

function chain(): readonly object[] {
  return Array.from({ length: depth }, (_, n) => ({
    ...{ id: `n${n}`, title: `Étage ${n}`, position: Math.floor(Math.random() * 2e9) - 1e9 },
    ...(n === 0 ? {} : { parent_id: `n${n - 1}` }),
  }))
}

async function startPlatform(env: Readonly<Record<string, string>>): Promise<Platform> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(projectFolder, 'dist/bench/platform/main.js'), 'subgraph:content', 'rest:content'], {
    env: {
      ...{ PATH: process.env.PATH, PORT_BASE: String(port - 5), LOG_LEVEL: 'warn', ADMIN_AUTH: 'token-or-key', METRICS_PORT: '0' },
      ...{ VAULT_KEY: randomBytes(32).toString('base64'), PRINCIPAL_SIGNING_KEY: randomBytes(32).toString('base64') },
      VERIFICATION_API_KEYS: `bench:${createHash('sha256').update(apiKey).digest('hex')}:admin`,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (const end = Date.now() + 60_000; ; await sleep(200)) {
    const ready = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return { pid: child.pid ?? 0, url, stop: () => ended(child) }
    if (child.exitCode !== null || Date.now() > end) throw new Error('the platform did not start')
  }
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill()
  if (child.exitCode === null) await Promise.race([once(child, 'exit'), sleep(15_000)])
  child.kill('SIGKILL')
}

async function bring(platform: Platform, tenant: string, body: Buffer) {
  const headers = { 'content-type': 'application/x-ndjson', 'x-service-api-key': apiKey, 'x-tenant-id': tenant }
  const from = performance.now()
  const { maxBytes, result } = await watched(platform.pid, async () => {
    const response = await fetch(`${platform.url}/api/v1/admin/import?mode=replace`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    if (response.status !== 200) throw new Error(`the import was answered ${response.status}: ${await response.text()}`)
    return response.json()
  })
  return { ms: performance.now() - from, answer: result, maxBytes }
}

const agent = new Agent({ keepAlive: true })

/** Reads a response to its end and discards it. */
async function read({ pid, url }: Platform, path: string, tenant: string) {
  const from = performance.now()
  const { maxBytes, result } = await watched(
    pid,
    () =>
      new Promise<{ firstMs: number; bytes: number }>((resolve, reject) => {
        const outgoing = request(url + path, { agent, headers: { 'x-tenant-id': tenant } }, (response) => {
          let firstMs = Number.NaN
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            if (bytes === 0) firstMs = performance.now() - from
            bytes += chunk.length
          })
          response.on('end', () =>
            response.statusCode === 200 ? resolve({ firstMs, bytes }) : reject(new Error(`${response.statusCode}`)),
          )
          response.on('error', reject)
        })
        outgoing.on('error', reject).end()
      }),
  )
  return { ...result, wholeMs: performance.now() - from, maxBytes }
}

async function watched<Result>(pid: number, work: () => Promise<Result>): Promise<{ readonly maxBytes: number; readonly result: Result }> {
  let maxBytes = memoryOf(pid)
  const watch = setInterval(() => {
    maxBytes = Math.max(maxBytes, memoryOf(pid))
  }, 50)
  try {
    const result = await work()
    return { maxBytes: Math.max(maxBytes, memoryOf(pid)), result }
  } finally {
    clearInterval(watch)
  }
}

/** Resident bytes of a process (Linux only: NaN elsewhere). */
function memoryOf(pid: number): number {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}

type Scan = (isLast?: boolean) => Promise<number>

/** Measures how long the drivers need to write the same rows, each as a line of JSON. @returns a function that returns milliseconds and cleans up */
function scanPostgres(url: string): Scan {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  return async (isLast) => {
    if (isLast) return pool.end().then(() => 0)
    const from = performance.now()
    const { rows } = await pool.query("select * from content_node where tenant = 'large' order by order_key")
    let length = 0
    for (const row of rows) length += JSON.stringify(row).length
    if (rows.length !== size || length === 0) throw new Error(`the scan found ${rows.length} rows`)
    return performance.now() - from
  }
}

function scanCassandra(points: string, keyspace: string): Scan {
  const client = new cassandra.Client({ contactPoints: points.split(','), localDataCenter: dataCenter ?? 'datacenter1', keyspace })
  return async (isLast) => {
    if (isLast) {
      await client.execute(`drop keyspace if exists ${keyspace}`)
      return client.shutdown().then(() => 0)
    }
    const buckets = (await client.execute("select buckets from content_tree where tenant = 'large'")).first()?.get('buckets')
    const from = performance.now()
    let rows = 0
    for (const { id } of JSON.parse(buckets) as { id: number }[]) {
      const before = rows
      const query = "select * from content_node where tenant = 'large' and bucket = ?"
      for await (const row of await client.execute(query, [id], { prepare: true, fetchSize: 1000 }))
        if (JSON.stringify(row).length > 0) rows++
      if (rows - before >= 100_000) throw new Error(`bucket ${id} holds ${rows - before} rows`)
    }
    if (rows !== size) throw new Error(`the scan found ${rows} rows`)
    return performance.now() - from
  }
}

async function onPostgres(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await work(client).finally(() => client.end())
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
