import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import type { Benchmark, Variant } from '../support/harness.ts'

const jobs = Number(process.env.JOBS ?? 10_000)
const batch = 100
const acknowledged = 100_000
const drainLimitMs = 600_000
const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env
/** The first of sixteen ports that are likely to be free. */
const portBase = 28_000 + 20 * Math.floor(200 * Math.random())

/** Cheap jobs: their images are invalid, so the benchmark measures the queue and the tables. */
const job = {
  document_type: 'PASSPORT',
  country_code: 'SN',
  selfie_b64: 'aGVsbG8=',
  cni_recto_b64: 'aGVsbG8=',
  declared_identity: { first_name: 'Awa', last_name: 'Diop' },
}

export const queue: Benchmark = {
  name: 'queue',
  about: `${jobs} queued jobs that end as errors, drained by one worker process; then ${acknowledged} finished ones acknowledged in one request`,
  target: 'no job lost or run twice; the acknowledgement under 2,000 ms',
  rounds: Number(process.env.ROUNDS ?? 1),
  async start() {
    if (databaseUrl === undefined || redisUrl === undefined) throw new Error('queue needs DATABASE_URL and REDIS_URL')
    return [await platform(databaseUrl, redisUrl)]
  },
}

async function platform(server: string, redis: string): Promise<Variant> {
  const name = `bench_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}`)
  const address = new URL(server)
  address.pathname = `/${name}`
  const database = address.href
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-bench-'))
  const apiKey = randomBytes(16).toString('hex')
  const key = (): string => randomBytes(32).toString('base64')
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    PORT_BASE: String(portBase),
    DATABASE_URL: database,
    REDIS_URL: redis,
    REDIS_PREFIX: name,
    VAULT_KEY: key(),
    PRINCIPAL_SIGNING_KEY: key(),
    VERIFICATION_API_KEYS: `bench:${createHash('sha256').update(apiKey).digest('hex')}`,
    LOG_LEVEL: 'warn',
  }
  const roles = ['subgraph:verification', 'rest:verification', 'worker:verification']
  const child = spawn(process.execPath, [join(projectFolder, 'dist/bench/platform/main.js'), ...roles], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const rest = { verification: `http://127.0.0.1:${portBase + 1}`, exploration: '', classification: '', administration: '', content: '' }
  const client = new VerificationClient({ rest, apiKey })
  for (
    const end = Date.now() + 60_000;
    !(await client.results(1).then(
      ({ status }) => status === 200,
      () => false,
    ));
    await sleep(200)
  )
    if (Date.now() > end) throw new Error('the platform did not start')
  return {
    name: 'Civigraph, one process',
    async measure() {
      await query(database, `truncate verification_job, vault_record, event cascade`)
      const began = performance.now()
      const ids: string[] = []
      while (ids.length < jobs)
        ids.push(
          ...(await client.submitBatch(Array.from({ length: batch }, (_, n) => ({ ...job, citizen_code: `CIT-${ids.length + n}` })))).body
            .job_ids,
        )
      const submitted = performance.now()
      for (const end = Date.now() + drainLimitMs; (await waiting(database)) > 0; await sleep(100))
        if (Date.now() > end) throw new Error(`${await waiting(database)} jobs are not done`)
      const drained = performance.now()
      const counted = await query(database, `select id, count(*)::int as times from event where topic = 'verification' group by id`)
      const times = new Map(counted.map((row) => [String(row.id), Number(row.times)]))
      const finished = await finishedIds(database)
      const results = new Set(finished)
      const all = await withMore(database, finished)
      const sentAt = performance.now()
      const { body } = await client.acknowledge(all)
      const answered = performance.now()
      if (body.acked !== acknowledged) throw new Error(`${body.acked} of ${acknowledged} were acknowledged`)
      return {
        lost: ids.filter((id) => !results.has(id)).length,
        twice: ids.filter((id) => times.get(id) !== 1).length,
        'submitted/s': (1000 * jobs) / (submitted - began),
        'drained/s': (1000 * jobs) / (drained - began),
        'acknowledgement ms': answered - sentAt,
      }
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await ended
      await query(server, `drop database if exists ${name} with (force)`)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function waiting(database: string): Promise<number> {
  const [row] = await query(database, `select count(*)::int as n from verification_job where completed_at is null`)
  return Number(row?.n)
}

const finishedIds = async (database: string): Promise<readonly string[]> =>
  (await query(database, `select job_id from vault_record where record = 'result'`)).map((row) => String(row.job_id))

/** Adds finished jobs, each with a copy of another job's sealed result, until there are enough to acknowledge. */
async function withMore(database: string, finished: readonly string[]): Promise<readonly string[]> {
  await query(
    database,
    `create temporary table made as select gen_random_uuid()::text as id, row_number() over () as n from generate_series(1, ${acknowledged - finished.length});
     insert into verification_job (id, owner, citizen_code, document_type, country_code, priority, start_class, status, outcome, completed_at)
       select id, 'bench', '"CIT-' || n || '"', 'PASSPORT', '"SN"', 'normal', 1, 'error', 'error', now() from made;
     insert into vault_record (job_id, record, key_id, wrapped_key, sealed)
       select made.id, 'result', key_id, wrapped_key, sealed from made, (select * from vault_record limit 1) as one`,
  )
  return finishedIds(database)
}

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = (await client.query(statement)) as { rows?: Record<string, unknown>[] }
    return rows ?? []
  } finally {
    await client.end()
  }
}
