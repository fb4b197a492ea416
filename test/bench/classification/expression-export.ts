import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { fill } from '../exploration/exploration-data.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { peakMegabytes } from '../verification/worker-platform.ts'

const { DATABASE_URL: databaseUrl, EXPRESSIONS = '1000000' } = process.env
const expressions = Number(EXPRESSIONS)
const portBase = Number(process.env.PORT_BASE ?? 27_900)
const main = join(projectFolder, 'dist/bench/platform/main.js')
/** how long the client stops reading in the middle */
const pauseMs = 3000

export const expressionExport: Benchmark = {
  name: 'expression-export',
  about: `${expressions.toLocaleString('en')} expressions as CSV and as NDJSON from a process with subgraph and REST of component C, read as fast as they come by a client that stops for ${pauseMs / 1000} s in the middle`,
  target: 'memory that does not depend on the number of rows: the same peak after a tenth and at the end',
  rounds: Number(process.env.ROUNDS ?? 1),
  warmsUpItself: true,
  async start(print) {
    if (databaseUrl === undefined) throw new Error('expression-export needs DATABASE_URL')
    const name = `bench_${randomBytes(6).toString('hex')}`
    const address = new URL(databaseUrl)
    address.pathname = `/${name}`
    await run(databaseUrl, `create database ${name}`)
    const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-export-'))
    const key = (): string => randomBytes(32).toString('base64')
    const env = {
      ...{ PATH: process.env.PATH, DATA_DIR: dataDir, PORT_BASE: String(portBase), DATABASE_URL: address.href, LOG_LEVEL: 'warn' },
      ...{ VAULT_KEY: key(), PRINCIPAL_SIGNING_KEY: key(), PSEUDONYM_KEY: key(), EXPRESSION_KEY: key() },
    }
    const migrated = spawnSync(process.execPath, [main, 'migrate', 'apply'], { env, encoding: 'utf8' })
    if (migrated.status !== 0) throw new Error(migrated.stderr)
    const from = performance.now()
    await fill(address.href, expressions, 200_000)
    print(`loaded in ${((performance.now() - from) / 1000).toFixed(1)} s`)
    const child = spawn(process.execPath, [main, 'subgraph:classification', 'rest:classification'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await ready(child)
    let open = 2
    const stop = async (): Promise<void> => {
      open -= 1
      if (open > 0) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
      await run(databaseUrl, `drop database if exists ${name} with (force)`)
      await rm(dataDir, { recursive: true, force: true })
    }
    return (['csv', 'ndjson'] as const).map((format): Variant => ({ name: format, measure: () => measure(format, child), stop }))
  },
}

async function ready(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => text.includes('ready in') && resolve())
    child.once('exit', () => reject(new Error('the platform ended')))
  })
}

async function measure(format: 'csv' | 'ndjson', child: ChildProcess): Promise<Readonly<Record<string, number>>> {
  const before = await peakMegabytes(child)
  const from = performance.now()
  const response = await fetch(`http://127.0.0.1:${portBase + 3}/api/v1/expressions?format=${format}`)
  if (!response.ok || response.body === null) throw new Error(`the export answered ${response.status}`)
  let rows = format === 'csv' ? -1 : 0
  let afterTenth: number | undefined
  let hasPaused = false
  for await (const bytes of response.body) {
    rows += linesIn(bytes)
    if (afterTenth === undefined && rows > expressions / 10) afterTenth = await peakMegabytes(child)
    if (hasPaused || rows < expressions / 2) continue
    hasPaused = true
    await sleep(pauseMs)
  }
  if (rows !== expressions) throw new Error(`${rows} rows of ${expressions}`)
  const seconds = (performance.now() - from - pauseMs) / 1000
  return {
    'rows a second': rows / seconds,
    seconds,
    'peak MB before': before,
    'after a tenth': afterTenth ?? Number.NaN,
    'at the end': await peakMegabytes(child),
  }
}

const lineFeed = 10

function linesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1
  return count
}

async function run(database: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
