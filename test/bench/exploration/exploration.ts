import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import type { Benchmark, Variant } from '../support/harness.ts'
import { fill } from './exploration-data.ts'

const { DATABASE_URL: databaseUrl, EXPRESSIONS = '1000000', PLACES = '200000' } = process.env
const portBase = 27_700
const requests = 300
/** Fewer for the raw queries, which are slow. */
const rawRequests = 25
const main = join(projectFolder, 'dist/bench/platform/main.js')

/** One view of the map, and the same view as SQL conditions. */
interface MapView {
  readonly zoom: number
  readonly parameters: Readonly<Record<string, string>>
  readonly conditions: readonly string[]
}

export const exploration: Benchmark = {
  name: 'exploration',
  about: `${EXPRESSIONS} expressions over ${PLACES} places; a window of 1,280 x 800 around one of them at zoom 0 to 18 with any filter, one request at a time over REST; maps and figures are counted for each request (no two requests are equal), domains once per version; the anchor groups the same rows of the same PostgreSQL by cell without the domains of a cell; milliseconds`,
  target: 'map p95 under 30, domains and stats under 15, a 304 under 2, memory that does not depend on the number, 5 x the anchor',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    if (databaseUrl === undefined) throw new Error('exploration needs DATABASE_URL')
    const platform = await startPlatform(databaseUrl, print)
    const views = await viewsAround(platform.database)
    return [rawVariant(platform, views), platformVariant(platform, views)]
  },
}

interface Platform {
  readonly database: string
  readonly child: ChildProcess
  readonly stop: () => Promise<void>
}

async function startPlatform(server: string, print: (line: string) => void): Promise<Platform> {
  const name = `bench_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name}`)
  const address = new URL(server)
  address.pathname = `/${name}`
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-exploration-'))
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT_BASE: String(portBase),
    DATABASE_URL: address.href,
    LOG_LEVEL: 'warn',
    VAULT_KEY: randomBytes(32).toString('base64'),
    PRINCIPAL_SIGNING_KEY: randomBytes(32).toString('base64'),
    PSEUDONYM_KEY: randomBytes(32).toString('base64'),
    EXPRESSION_KEY: randomBytes(32).toString('base64'),
  }
  let child: ChildProcess | undefined
  const stop = async (): Promise<void> => {
    if (child !== undefined) {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    }
    await run(server, `drop database if exists ${name} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  }
  const timed = async (what: string, work: () => unknown): Promise<void> => {
    const from = performance.now()
    await work()
    print(`${what} in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  const rollUps = (): void => {
    const { status, stderr } = spawnSync(process.execPath, [main, 'rollups', 'rebuild'], { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  try {
    // migrates
    rollUps()
    await timed('loaded', () => fill(address.href, Number(EXPRESSIONS), Number(PLACES)))
    await timed('counted', rollUps)
    await run(address.href, 'vacuum analyze')
    const started = spawn(process.execPath, [main, 'subgraph:exploration', 'rest:exploration'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    await new Promise<void>((resolve, reject) => {
      started.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('ready in') && resolve())
      started.once('exit', () => reject(new Error('the platform ended')))
    })
    return { database: address.href, child: started, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function viewsAround(database: string): Promise<readonly MapView[]> {
  const { rows } = await run(
    database,
    `select lat, lon, domain, sub_domain, lang from expression where lat is not null order by id limit ${requests}`,
  )
  return rows.map(({ lat, lon, domain, sub_domain, lang }, index): MapView => {
    const zoom = index % 19
    const [width, height] = [(2.5 * 360) / 2 ** zoom, (1.6 * 360 * Math.cos((lat * Math.PI) / 180)) / 2 ** zoom]
    const [west, east] = width >= 360 ? [-180, 180] : [Math.max(-180, lon - width / 2), Math.min(180, lon + width / 2)]
    const [south, north] = [Math.max(-85, lat - height / 2), Math.min(85, lat + height / 2)]
    const filters: readonly (readonly [Record<string, string>, readonly string[]])[] = [
      [{}, []],
      [{ domain }, [`domain = '${domain}'`]],
      [{ domain: sub_domain }, [`sub_domain = '${sub_domain}'`]],
      [{ sentiment: 'negative' }, [`sentiment = 'negative'`]],
      [{ lang }, [`lang = '${lang}'`]],
      [{ from: dayBefore(30) }, [`created_at >= '${dayBefore(30)}'`]],
      [
        { from: dayBefore(500), to: dayBefore(40), domain },
        [`created_at >= '${dayBefore(500)}' and created_at < '${dayBefore(39)}'`, `domain = '${domain}'`],
      ],
    ]
    const [parameters, conditions] = filters[Math.floor(index / 19) % filters.length] ?? [{}, []]
    return {
      zoom,
      parameters: { ...parameters, zoom: String(zoom), bbox: [west, south, east, north].join(',') },
      conditions: [`lon between ${west} and ${east}`, `lat between ${south} and ${north}`, ...conditions],
    }
  })
}

function rawVariant({ database }: Platform, views: readonly MapView[]): Variant {
  const client = new pg.Client({ connectionString: database })
  const connected = client.connect()
  const timed = async (statement: string): Promise<number> => {
    const from = performance.now()
    await client.query(statement)
    return performance.now() - from
  }
  return {
    name: 'GROUP BY over the expressions',
    async measure() {
      await connected
      const offset = Math.floor(Math.random() * views.length)
      const map: number[] = []
      for (let n = 0; n < rawRequests; n++) {
        const { zoom, conditions } = views[(offset + n * 19 + n) % views.length] ?? { zoom: 0, conditions: [] }
        map.push(
          await timed(`select floor((lon + 180) / 360 * ${2 ** (zoom + 3)}), floor((1 - asinh(tand(lat)) / pi()) / 2 * ${2 ** (zoom + 3)}), sentiment, count(*),
            avg(lon), avg(lat) from expression where ${conditions.join(' and ')} and withdrawn_at is null group by 1, 2, 3`),
        )
      }
      const figures = `count(*), count(*) filter (where sentiment = 'positive'), count(*) filter (where created_at > now() - interval '7 days')`
      const domains = await timed(`select domain, sub_domain, ${figures} from expression where withdrawn_at is null group by 1, 2`)
      const stats = await timed(`select lang, created_at::date, ${figures} from expression where withdrawn_at is null group by 1, 2`)
      return { 'map p50': at(map, 0.5), 'map p95': at(map, 0.95), 'domains p95': domains, 'stats p95': stats }
    },
    stop: () => client.end(),
  }
}

function platformVariant({ child, stop }: Platform, views: readonly MapView[]): Variant {
  const base = `http://127.0.0.1:${portBase + 2}/api/v1`
  const timedGet = async (path: string, headers: Record<string, string> = {}): Promise<readonly [number, Response]> => {
    const from = performance.now()
    const response = await fetch(`${base}${path}`, { headers, signal: AbortSignal.timeout(60_000) })
    await response.arrayBuffer()
    const durationMs = performance.now() - from
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}`)
    return [durationMs, response]
  }
  const mapPath = ({ parameters }: MapView): string => `/map?${new URLSearchParams(parameters)}`
  return {
    name: 'the platform',
    async measure() {
      const map: (readonly [number, MapView])[] = []
      for (const view of views) map.push([(await timedGet(mapPath(view)))[0], view])
      const times = map.map(([durationMs]) => durationMs)
      const repeated = async (path: string, headers: Record<string, string> = {}, count = 40, query = (_: number) => '') => {
        const all: number[] = []
        for (let n = 0; n < count; n++) all.push((await timedGet(path + query(n), headers))[0])
        return at(all, 0.95)
      }
      const [, { headers }] = await timedGet('/map?zoom=3')
      const conditional = { 'if-none-match': headers.get('etag') ?? '' }
      const [, { status }] = await timedGet('/map?zoom=3', conditional)
      if (status !== 304) throw new Error(`a conditional request for the map returned ${status}`)
      if (process.env.SLOWEST !== undefined)
        for (const [durationMs, { parameters }] of map.sort(([a], [b]) => b - a).slice(0, 8))
          process.stdout.write(`  ${durationMs.toFixed(1)} ${JSON.stringify(parameters)}\n`)
      return {
        'map p50': at(times, 0.5),
        'map p95': at(times, 0.95),
        'domains p95': await repeated('/domains'),
        'stats p95': await repeated('/stats', {}, 40, (n) => `?from=${dayBefore(600 + n)}`),
        'stats of an area': await repeated('/stats', {}, 40, (n) => `?bbox=${n / 40 - 20},-10,40,30`),
        'whole world p95': await repeated('/map'),
        '304 p95': await repeated('/map?zoom=3', conditional, 200),
        'resident MB': residentOf(child),
      }
    },
    stop,
  }
}

function residentOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

function at(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

async function run(database: string, statement: string) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
