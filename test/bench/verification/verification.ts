import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { damage } from '../../../demonstration/capture/capture.ts'
import { makeHolder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { drawFace } from '../../../demonstration/documents/selfie.ts'
import { submissionOf } from '../../../demonstration/documents/submission.ts'
import { projectFolder } from '../../../subgraphs/foundation/process/build-info.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import type { Benchmark, Variant } from '../support/harness.ts'

const windowSeconds = 20
const submissionsPerSecond = 8

const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env
/** of sixteen ports that nothing else is expected on */
const portBase = 27_400

/**
 * Component A under more jobs than its workers can do: photographed cards with both sides and a selfie, submitted at a steady rate over REST.
 * The first variant has no worker, so that its intake is that of an idle pipeline.
 */
export const verification: Benchmark = {
  name: 'verification',
  about: `${submissionsPerSecond} two-sided submissions a second for ${windowSeconds} s over REST; workers in processes of their own, two jobs at once each; milliseconds, jobs and megabytes`,
  wanted: 'job p50 under 1,500 ms on two cores, a worker under 1,000 MB, intake p99 not above twice that without workers',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start() {
    if (databaseUrl === undefined || redisUrl === undefined) throw new Error('verification needs DATABASE_URL and REDIS_URL')
    const platform = await startPlatform(databaseUrl, redisUrl)
    const jobs = await Promise.all([5, 23, 108].map(photographed))
    let users = 0
    const variant = (name: string, workers: number): Variant => {
      users += 1
      return {
        name,
        measure: () => measure(platform, jobs, workers),
        async stop() {
          users -= 1
          if (users === 0) await platform.stop()
        },
      }
    }
    return [variant('no worker', 0), variant('one worker', 1), variant('two workers', 2)]
  },
}

async function photographed(seed: number): Promise<object> {
  const holder = makeHolder(seed, { today: new Date().toISOString().slice(0, 10) })
  const [selfie, card] = await Promise.all([drawFace(seed), drawIdentityCard(holder)])
  const [recto, verso] = await Promise.all([damage(card.front, 'photo'), damage(card.back, 'photo')])
  return submissionOf(holder, { selfie, front: recto, back: verso }, { citizen_code: `BENCH-${seed}` })
}

/** Every role but the worker's, in one process; workers come and go. */
interface Platform {
  readonly client: VerificationClient
  work(): Promise<ChildProcess>
  stop(): Promise<void>
}

async function startPlatform(server: string, redis: string): Promise<Platform> {
  const database = `bench_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${database}`)
  const url = new URL(server)
  url.pathname = `/${database}`
  const apiKey = randomBytes(16).toString('hex')
  const key = (): string => randomBytes(32).toString('base64')
  const env = {
    PATH: process.env.PATH,
    PORT_BASE: String(portBase),
    DATABASE_URL: url.href,
    REDIS_URL: redis,
    REDIS_PREFIX: database,
    VAULT_KEY: key(),
    PRINCIPAL_SIGNING_KEY: key(),
    VERIFICATION_API_KEYS: `bench:${createHash('sha256').update(apiKey).digest('hex')}`,
    LOG_LEVEL: 'info',
  }
  const folders: string[] = []
  const start = async (roles: readonly string[]): Promise<ChildProcess> => {
    // a folder each, as workers on machines of their own have
    const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-bench-'))
    folders.push(dataDir)
    const child = spawn(process.execPath, [join(projectFolder, 'dist/bench/platform/main.js'), ...roles], {
      env: { ...env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await untilReady(child, roles)
    return child
  }
  const front = await start(['subgraph:verification', 'rest:verification'])
  const rest = { verification: `http://127.0.0.1:${portBase + 1}`, exploration: '', classification: '', administration: '', content: '' }
  return {
    client: new VerificationClient({ rest, apiKey }),
    work: () => start(['worker:verification']),
    async stop() {
      await end(front)
      await run(server, `drop database if exists ${database} with (force)`)
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
}

function untilReady(child: ChildProcess, roles: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    // read on after it is ready, too: a full pipe would hold the process up
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
      if (/ready in \d+ ms/.test(output)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${roles.join(' ')} ended with ${code} before it was ready`)))
  })
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  const patience = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await gone
  clearTimeout(patience)
}

async function measure({ client, work }: Platform, jobs: readonly object[], count: number): Promise<Readonly<Record<string, number>>> {
  await acknowledgeAll(client)
  const workers = await Promise.all(Array.from({ length: count }, work))
  // there is work from the first moment, and the models are loaded when the window begins
  for (const job of jobs) await client.submit(job)
  if (count > 0) while ((await client.results(1)).body.total_ready < count) await sleep(100)
  await acknowledgeAll(client)
  const from = performance.now()
  const intake = await submitSteadily(client, jobs)
  const { results } = (await client.results(1000)).body
  const seconds = (performance.now() - from) / 1000
  const memory = await Promise.all(workers.map(peakMegabytes))
  await Promise.all(workers.map(end))
  const times = results.map((result) => result.processing_time_ms)
  return {
    'intake p50 ms': quantile(intake, 0.5),
    'intake p99 ms': quantile(intake, 0.99),
    ...(count === 0
      ? {}
      : {
          'job p50 ms': quantile(times, 0.5),
          'job p95 ms': quantile(times, 0.95),
          'jobs/s': results.length / seconds,
          'peak MB of a worker': Math.max(...memory),
        }),
  }
}

/** @returns how long each submission took: the next one does not wait for it */
async function submitSteadily(client: VerificationClient, jobs: readonly object[]): Promise<readonly number[]> {
  const pending: Promise<number>[] = []
  const start = performance.now()
  for (let at = 0; at < windowSeconds * submissionsPerSecond; at++) {
    await sleep(Math.max(0, start + (at * 1000) / submissionsPerSecond - performance.now()))
    const from = performance.now()
    pending.push(
      client.submit(jobs[at % jobs.length] ?? {}).then(({ status }) => {
        if (status !== 202) throw new Error(`a submission was answered ${status}`)
        return performance.now() - from
      }),
    )
  }
  return Promise.all(pending)
}

async function acknowledgeAll(client: VerificationClient): Promise<void> {
  for (;;) {
    const { results } = (await client.results(1000)).body
    if (results.length === 0) return
    await client.acknowledge(results.map((result) => result.job_id))
  }
}

/** Highest resident memory of a process (Linux), in millions of bytes. */
async function peakMegabytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1.024e-3
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
