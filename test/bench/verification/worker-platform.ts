import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { damage } from '../../../demonstration/capture/capture.ts'
import { generateHolder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { drawFace } from '../../../demonstration/documents/selfie.ts'
import { submissionOf } from '../../../demonstration/documents/submission.ts'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'

/** The first of sixteen ports that are likely to be free. */
const portBase = 27_400

/** Every role except the worker in one process; workers are added and removed. */
export interface WorkerPlatform {
  readonly client: VerificationClient
  /** @param more - settings of this worker only */
  work(more?: Readonly<Record<string, string>>): Promise<ChildProcess>
  stop(): Promise<void>
}

export async function startWorkerPlatform(): Promise<WorkerPlatform> {
  const { DATABASE_URL: server, REDIS_URL: redis } = process.env
  if (server === undefined || redis === undefined) throw new Error('benchmarks of workers need DATABASE_URL and REDIS_URL')
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
  const start = async (roles: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<ChildProcess> => {
    // one folder each, like workers on separate machines
    const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-bench-'))
    folders.push(dataDir)
    const child = spawn(process.execPath, [join(projectFolder, 'dist/bench/platform/main.js'), ...roles], {
      env: { ...env, ...more, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await untilReady(child, roles)
    return child
  }
  const front = await start(['subgraph:verification', 'rest:verification'])
  const rest = { verification: `http://127.0.0.1:${portBase + 1}`, exploration: '', classification: '', administration: '', content: '' }
  return {
    client: new VerificationClient({ rest, apiKey }),
    work: (more) => start(['worker:verification'], more),
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
    // continues to read after the start: a full pipe would block the process
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

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  const patience = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await exited
  clearTimeout(patience)
}

/** A photographed two-sided card and a selfie, for submission over REST. @param seed - selects the drawn person */
export async function photographed(seed: number): Promise<object> {
  const holder = generateHolder(seed, { today: new Date().toISOString().slice(0, 10) })
  const [selfie, card] = await Promise.all([drawFace(seed), drawIdentityCard(holder)])
  const [recto, verso] = await Promise.all([damage(card.front, 'photo'), damage(card.back, 'photo')])
  return submissionOf(holder, { selfie, front: recto, back: verso }, { citizen_code: `BENCH-${seed}` })
}

export async function acknowledgeAll(client: VerificationClient): Promise<void> {
  for (;;) {
    const { results } = (await client.results(1000)).body
    if (results.length === 0) return
    await client.acknowledge(results.map((result) => result.job_id))
  }
}

/** Peak resident memory of a process (Linux), in millions of bytes. */
export async function peakMegabytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1.024e-3
}

/** Processor time of its threads (Linux, with 100 clock ticks per second). */
export async function processorMilliseconds({ pid }: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
