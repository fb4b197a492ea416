import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { percentile } from '../support/percentile.ts'
import { cpuSecondsOf } from '../support/process-tree.ts'
import { fill } from './exploration-data.ts'

const expressions = Number(process.env.EXPRESSIONS ?? 100_000)
const votes = Number(process.env.VOTES ?? 4000)
const callers = Number(process.env.CALLERS ?? 64)
const portBase = Number(process.env.BENCH_PORT_BASE ?? 27_800)
const main = join(projectFolder, 'dist/bench/platform/main.js')
const mutation = 'mutation Vote($input: CastVoteInput!) { castVote(input: $input) { value } }'

export const votesBench: Benchmark = {
  name: 'votes',
  about: `${votes} votes of one voter each over GraphQL with a service key, ${callers} callers, on one expression and on any of ${expressions}; the whole platform in one process with its embedded PostgreSQL; processor time of both until the roll-ups have counted every vote`,
  target: 'under 5 ms of processor time a vote',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    const platform = await startPlatform(print)
    let open = 2
    const stop = async (): Promise<void> => {
      if (--open === 0) await platform.stop()
    }
    const { ids } = platform
    const [hot = ''] = ids
    return [
      { name: 'one expression', measure: () => platform.measure(() => hot), stop },
      { name: `${expressions} expressions`, measure: () => platform.measure((count) => ids[(count * 7919) % ids.length] ?? hot), stop },
    ] satisfies Variant[]
  },
}

interface Platform {
  /** of all expressions */
  readonly ids: readonly string[]
  measure(expressionOf: (count: number) => string): Promise<Readonly<Record<string, number>>>
  stop(): Promise<void>
}

async function startPlatform(print: (line: string) => void): Promise<Platform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-votes-'))
  await chmod(dataDir, 0o711)
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT_BASE: String(portBase), LOG_LEVEL: 'warn', DEMO_DATA: 'off' }
  const child: ChildProcess = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => text.includes('ready in') && resolve())
    child.once('exit', () => reject(new Error('the platform did not start')))
  })
  const read = (file: string): Record<string, string> => JSON.parse(readFileSync(join(dataDir, file), 'utf8'))
  const { port, password } = read('postgres.json')
  const database = `postgres://civigraph:${password}@127.0.0.1:${port}/postgres`
  const client = new pg.Client(database)
  await client.connect()
  const from = performance.now()
  await fill(database, expressions, Math.max(1, expressions / 5))
  const { status, stderr } = spawnSync(process.execPath, [main, 'rollups', 'rebuild'], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  print(`loaded and counted in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  const { rows } = await client.query<{ id: string }>('select id from expression where lat is not null order by md5(id::text)')
  const { rows: backends } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = Number(/\) \S (\d+)/.exec(await readFile(`/proc/${backends[0]?.pid}/stat`, 'utf8'))?.[1])
  const apiKey = read('credentials.json').verification_api_key ?? ''
  const vote = async (expressionId: string): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${portBase}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Service-API-Key': apiKey },
      body: JSON.stringify({ query: mutation, variables: { input: { expressionId, value: 'AGREE', voterRef: randomUUID() } } }),
    })
    const text = await response.text()
    if (text.includes('"OVERLOADED"')) {
      // the machine has other work; the load gate refuses votes until it is done
      await sleep(Number(/"retryAfterMs":(\d+)/.exec(text)?.[1] ?? 1000))
      return vote(expressionId)
    }
    if (!text.includes('"AGREE"')) throw new Error(`a vote was refused: ${text}`)
  }
  const counted = async (): Promise<boolean> => {
    const { rows: behind } = await client.query(
      `select 1 from event_cursor c join event_topic t using (topic) where c.follower = 'exploration' and c.position < t.position`,
    )
    return behind.length === 0
  }
  const cpu = () => cpuSecondsOf([child.pid ?? 0, postmaster])
  await Promise.all(Array.from({ length: 20 }, () => vote(rows[0]?.id ?? '')))
  return {
    ids: rows.map(({ id }) => id),
    async measure(expressionOf) {
      while (!(await counted())) await sleep(50)
      const worked = await cpu()
      const begun = performance.now()
      const times: number[] = []
      let next = 0
      const caller = async (): Promise<void> => {
        while (next < votes) {
          const at = performance.now()
          await vote(expressionOf(next++))
          times.push(performance.now() - at)
        }
      }
      await Promise.all(Array.from({ length: callers }, caller))
      const elapsedSeconds = (performance.now() - begun) / 1000
      while (!(await counted())) await sleep(50)
      const [node = 0, postgres = 0] = (await cpu()).map((seconds, index) => ((seconds - (worked[index] ?? 0)) * 1000) / votes)
      times.sort((a, b) => a - b)
      return {
        'CPU ms a vote': node + postgres,
        'of these Node.js': node,
        'of these PostgreSQL': postgres,
        'cores at 5,000/s': (node + postgres) * 5,
        'votes per second': votes / elapsedSeconds,
        'p50 ms': percentile(times, 0.5),
        'p95 ms': percentile(times, 0.95),
      }
    },
    async stop() {
      await client.end()
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
