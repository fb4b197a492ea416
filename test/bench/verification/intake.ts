import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { percentile } from '../support/percentile.ts'

const apiKey = 'a key for measuring'
const imageBytes = 200_000
const seconds = Number(process.env.SECONDS ?? 5)
/** Requests per second of all clients together, well below the capacity of both: 50 clients without a pause only measure each other's queue. */
const pacedRate = 100
/** Python with the peer's packages; the python of a virtual environment, if named. */
const python = process.env.PEER_PYTHON ?? 'python3'
const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env

const image = (): string => randomBytes(imageBytes).toString('base64')
const body = JSON.stringify({
  citizen_code: 'CIT-1',
  document_type: 'NATIONAL_ID',
  country_code: 'FR',
  selfie_b64: image(),
  cni_recto_b64: image(),
  declared_identity: { first_name: 'Camille', last_name: 'Martin', date_of_birth: '1990-02-03' },
})

export const intake: Benchmark = {
  name: 'intake',
  about: `POST /jobs/submit with two images of 200 kB, sealed and stored; PostgreSQL and Redis the same for both; ${seconds} s a run`,
  target: `at 16 connections x 1.5 of the peer’s requests/s, better x 2; p99 under 50 ms for 50 clients that send ${pacedRate} a second`,
  rounds: Number(process.env.ROUNDS ?? 5),
  async start(print) {
    if (databaseUrl === undefined || redisUrl === undefined) throw new Error('intake needs DATABASE_URL and REDIS_URL')
    const peers = await peerVariants(databaseUrl, redisUrl, print)
    return [...peers, await platformVariant(databaseUrl, redisUrl, 'rows'), await platformVariant(databaseUrl, redisUrl, 'files')]
  },
}

interface Started {
  readonly child: ChildProcess
  readonly url: string
  readonly database: string
  readonly stop: () => Promise<void>
}

/** @param tables - statements that a new database runs first */
async function startOn(server: string, tables: string, start: (database: string, port: number) => ChildProcess): Promise<Started> {
  const name = `bench_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name}`)
  const address = new URL(server)
  address.pathname = `/${name}`
  if (tables !== '') await run(address.href, tables)
  const port = await freePort()
  const child = start(address.href, port)
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    database: address.href,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await Promise.race([ended, sleep(12_000)])
      await run(server, `drop database if exists ${name} with (force)`)
    },
  }
}

async function platformVariant(server: string, redis: string, images: 'rows' | 'files'): Promise<Variant> {
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-intake-'))
  const vaultDir = join(dataDir, 'vault')
  const started = await startOn(server, '', (database, port) =>
    spawn(process.execPath, [join(projectFolder, 'dist/bench/platform/main.js'), 'subgraph:verification', 'rest:verification'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        PORT_BASE: String(port - 1),
        DATABASE_URL: database,
        REDIS_URL: redis,
        REDIS_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
        LOG_LEVEL: 'warn',
        ...(images === 'files' && { VAULT_DIR: vaultDir }),
        VAULT_KEY: randomBytes(32).toString('base64'),
        PRINCIPAL_SIGNING_KEY: randomBytes(32).toString('base64'),
        VERIFICATION_API_KEYS: `bench:${createHash('sha256').update(apiKey).digest('hex')}`,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
  const name = images === 'rows' ? 'Civigraph, one process' : 'Civigraph, one process, VAULT_DIR'
  const variant = await variantOf(name, started, 'verification_job, vault_record')
  return {
    ...variant,
    async measure() {
      await rm(vaultDir, { recursive: true, force: true, maxRetries: 5 })
      return variant.measure()
    },
    async stop() {
      await variant.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const peerTables = `
  create table peer_job (id text primary key, citizen_code text not null, document_type text not null, country_code text not null,
    priority text not null, callback_url text, status text not null default 'queued', queued_at timestamptz not null default now());
  create table peer_record (job_id text primary key references peer_job (id), wrapped_key bytea not null, sealed bytea not null);
  alter table peer_record alter column sealed set storage external`

/** The peer with one and with two processes: other load on the machine decides which is faster. */
async function peerVariants(server: string, redis: string, print: (line: string) => void): Promise<readonly Variant[]> {
  const packages = 'fastapi, uvicorn, uvloop, httptools, asyncpg, redis, cryptography'
  if (spawnSync(python, ['-c', `import ${packages}`]).status !== 0) {
    print(`${python} lacks some of ${packages}: the peer is not run (PEER_PYTHON names another python)`)
    return []
  }
  return Promise.all(
    [1, 2].map(async (workers) => {
      const started = await startOn(server, peerTables, (database, port) => {
        const words = [
          '--app-dir',
          join(projectFolder, 'test/bench/verification/peers'),
          '--port',
          String(port),
          '--workers',
          String(workers),
        ]
        return spawn(python, ['-m', 'uvicorn', 'intake:app', ...words, '--no-access-log', '--log-level', 'warning'], {
          env: {
            PATH: process.env.PATH,
            DATABASE_URL: database,
            REDIS_URL: redis,
            API_KEY: apiKey,
            REDIS_PREFIX: `peer-${workers}`,
            PYTHONDONTWRITEBYTECODE: '1',
          },
          stdio: ['ignore', 'ignore', 'inherit'],
        })
      })
      return variantOf(`FastAPI + asyncpg + redis, ${workers} process${workers === 1 ? '' : 'es'}`, started, 'peer_job, peer_record')
    }),
  )
}

async function variantOf(name: string, { child, url, database, stop }: Started, tables: string): Promise<Variant> {
  const headers = { 'content-type': 'application/json', 'x-service-api-key': apiKey }
  const post = () => fetch(`${url}/jobs/submit`, { method: 'POST', headers, body }).then(({ status }) => status)
  for (const end = Date.now() + 30_000; (await post().catch(() => 0)) !== 202; await sleep(200))
    if (Date.now() > end) throw new Error(`${name} takes no job`)
  const load = async (connections: number) => {
    const result = await autocannon({ url: `${url}/jobs/submit`, method: 'POST', headers, body, connections, duration: seconds })
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
    return result
  }
  const backends = async (): Promise<readonly number[]> =>
    (await run(database, 'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')).map(
      ({ pid }) => Number(pid),
    )
  return {
    name,
    async measure() {
      await run(database, `truncate ${tables} cascade`)
      const own = cpuOf([child.pid ?? 0])
      const before = await backends()
      const servers = cpuOf(before)
      const many = await load(16)
      const ownUsed = cpuOf([child.pid ?? 0]) - own
      // processes that started since; the time of an ended process is lost
      const serversUsed = cpuOf([...new Set([...before, ...(await backends())])]) - servers
      const crowd = await load(50)
      const paced = await spread(`${url}/jobs/submit`, headers)
      return {
        'requests/s': many.requests.average,
        'p50 ms': many.latency.p50,
        'p99 ms': many.latency.p99,
        'p99 ms, 50 clients': crowd.latency.p99,
        [`p99 ms, 50 at ${pacedRate}/s`]: paced,
        'own CPU ms/request': ownUsed / many.requests.total,
        'PostgreSQL ms/request': serversUsed / many.requests.total,
      }
    },
    stop,
  }
}

/**
 * 50 connections that share a steady rate, one request each hundredth of a second; autocannon's rate would make all of them send at the same moment.
 * @returns the p99 in ms, measured from the time at which a request was due
 */
async function spread(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const times: number[] = []
  const send = (due: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        { agent, method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
        (answer) => {
          answer.resume()
          answer.once('end', () => {
            times.push(performance.now() - due)
            if (answer.statusCode === 202) resolve()
            else reject(new Error(`answered ${answer.statusCode}`))
          })
        },
      )
      outgoing.once('error', reject)
      outgoing.end(body)
    })
  const under: Promise<void>[] = []
  const begun = performance.now()
  for (let count = 0; count < pacedRate * seconds; count++) {
    const due = begun + (count * 1000) / pacedRate
    if (due > performance.now()) await sleep(due - performance.now())
    under.push(send(due))
  }
  await Promise.all(under)
  agent.destroy()
  times.sort((a, b) => a - b)
  return percentile(times, 0.99)
}

async function run(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = (await client.query(statement)) as { rows?: Record<string, unknown>[] }
    return rows ?? []
  } finally {
    await client.end()
  }
}

/** Processor time of these processes and their children, in ms; NaN outside Linux. */
function cpuOf(pids: readonly number[]): number {
  return process.platform === 'linux' ? pids.reduce((sum, pid) => sum + timeOf(pid) + cpuOf(childrenOf(pid)), 0) : Number.NaN
}

/** The content of a file in /proc; empty for an ended process. */
function procOf(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function timeOf(pid: number): number {
  const stat = procOf(`${pid}/stat`)
  const [, user = '0', system = '0'] = /^(?:\S+ ){11}(\d+) (\d+)/.exec(stat.slice(stat.lastIndexOf(')') + 2)) ?? []
  // in ticks of 10 ms
  return 10 * (Number(user) + Number(system))
}

const childrenOf = (pid: number): readonly number[] => procOf(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

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
