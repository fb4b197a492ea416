import 'reflect-metadata'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { elasticSearchIndex } from '../../../engines/search-index/elasticsearch/elastic-search-index.ts'
import type { IndexedExpression } from '../../../engines/search-index/search-index.ts'
import { embeddingSize } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { silentLog } from '../../../foundation/log.ts'
import { projectFolder } from '../../../foundation/process/build-info.ts'
import { indexGeneration } from '../../../subgraphs/classification/index.ts'
import type { Benchmark } from '../support/harness.ts'

const { DATABASE_URL: databaseUrl, ELASTICSEARCH_URL: elasticsearchUrl, EXPRESSIONS = '1000000' } = process.env
const expressions = Number(EXPRESSIONS)
const portBase = Number(process.env.PORT_BASE ?? 27_800)
const requests = 100
const atOnce = 2000
/** words that each one of a hundred expressions has */
const rareWords = ['caniveau', 'lampadaire', 'dispensaire', 'passerelle', 'fontaine']
const commonWords = [
  'la',
  'route',
  'du',
  'quartier',
  'est',
  'en',
  'mauvais',
  'état',
  'depuis',
  'des',
  'mois',
  'et',
  'personne',
  'ne',
  'vient',
]
const domains = Array.from({ length: 14 }, (_, n) => `d${n}`)
const tones = ['positive', 'neutral', 'negative'] as const
const languages = ['fr', 'en', 'ar']
const main = join(projectFolder, 'dist/bench/platform/main.js')

export const searchedFigures: Benchmark = {
  name: 'searched-figures',
  about: `map, figures and domains of ${expressions.toLocaleString('en')} expressions, of the one per cent that contain a word, over REST, on PostgreSQL and Elasticsearch, one request at a time; milliseconds`,
  target: 'p95 under 150',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    if (databaseUrl === undefined || elasticsearchUrl === undefined) throw new Error('needs DATABASE_URL and ELASTICSEARCH_URL')
    const prefix = `bench-${randomBytes(4).toString('hex')}`
    const { env, clear } = await filledDatabase(databaseUrl, print)
    const index = elasticSearchIndex({
      url: elasticsearchUrl,
      prefix,
      generation: indexGeneration(projectionEncoder().model),
      log: silentLog,
    })
    await index.start(AbortSignal.timeout(60_000))
    const from = performance.now()
    const build = await index.rebuild()
    for (let start = 0; start < expressions; start += atOnce)
      await build.put(Array.from({ length: Math.min(atOnce, expressions - start) }, (_, n) => expressionOf(start + n)))
    await build.publish()
    print(`indexed in ${((performance.now() - from) / 1000).toFixed(1)} s`)
    await index.stop()
    const child = spawn(process.execPath, [main, 'subgraph:exploration', 'rest:exploration'], {
      env: { ...env, ELASTICSEARCH_URL: elasticsearchUrl, ELASTICSEARCH_PREFIX: prefix },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await ready(child)
    return [
      {
        name: 'the platform',
        measure,
        async stop() {
          const ended = once(child, 'exit')
          child.kill()
          await ended
          await fetch(`${elasticsearchUrl}/${prefix}-*?expand_wildcards=all`, { method: 'DELETE' })
          await clear()
        },
      },
    ]
  },
}

async function filledDatabase(server: string, print: (line: string) => void) {
  const name = `bench_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name}`)
  const address = new URL(server)
  address.pathname = `/${name}`
  const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-searched-'))
  const key = (): string => randomBytes(32).toString('base64')
  const env = {
    ...{ PATH: process.env.PATH, DATA_DIR: dataDir, PORT_BASE: String(portBase), DATABASE_URL: address.href, LOG_LEVEL: 'warn' },
    ...{ VAULT_KEY: key(), PRINCIPAL_SIGNING_KEY: key(), PSEUDONYM_KEY: key(), EXPRESSION_KEY: key() },
  }
  const { status, stderr } = spawnSync(process.execPath, [main, 'rollups', 'rebuild'], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const from = performance.now()
  await run(
    address.href,
    `insert into roll_up_key (id, domain, sub_domain, sentiment, lang)
      select d * 9 + t * 3 + l + 1, 'd' || d, null, (array['positive', 'neutral', 'negative'])[t + 1], (array['fr', 'en', 'ar'])[l + 1]
      from generate_series(0, 13) d, generate_series(0, 2) t, generate_series(0, 2) l`,
  )
  await run(
    address.href,
    `insert into roll_up_expression (id, key, day, created_at, lat, lon, author, agree, disagree, pass,
        unverified_agree, unverified_disagree, unverified_pass)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1 + n % 126, 20260101, now(), 0, 0,
        decode(repeat(md5((n % 300000)::text), 2), 'hex'), case when n / 100 % 10 = 0 then 2 else 0 end, 0, 0, 0, 0, 0
      from generate_series(0, ${expressions - 1}) n`,
  )
  await run(
    address.href,
    `insert into roll_up_vote (expression_id, voter, value, verified)
      select e.id, decode(repeat(md5(e.id::text || v % 2), 2), 'hex'), 'agree', true from roll_up_expression e, generate_series(1, e.agree) v`,
  )
  await run(address.href, 'vacuum analyze')
  print(`loaded in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  const clear = async (): Promise<void> => {
    await run(server, `drop database if exists ${name} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  }
  return { env, clear }
}

const noVector = new Float32Array(embeddingSize)

/** Pseudo-random numbers from 0 to 1 that depend on the number of the expression. */
const part = (n: number, salt: number): number => ((Math.imul(n + 1, 2_654_435_761) ^ Math.imul(salt, 40_503)) >>> 0) / 2 ** 32

function expressionOf(n: number): IndexedExpression {
  const id = `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
  const rare = n % 100 < rareWords.length ? [rareWords[n % 100]] : []
  const town = { lat: part(n % 400, 1) * 110 - 50, lon: part(n % 400, 2) * 320 - 160 }
  return {
    id,
    text: [...commonWords, ...rare].join(' '),
    lang: languages[n % 3] ?? 'fr',
    domain: domains[Math.floor(part(n, 3) * 14)] ?? null,
    subDomain: null,
    sentiment: tones[Math.floor(part(n, 4) * 3)] ?? null,
    position: n % 20 === 7 ? null : { lat: town.lat + part(n, 5) * 6 - 3, lon: town.lon + part(n, 6) * 8 - 4 },
    createdAt: new Date(Date.now() - part(n, 7) * 730 * 86_400_000),
    embedding: noVector,
    document: '{}',
    version: 1,
  }
}

async function ready(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => text.includes('ready in') && resolve())
    child.once('exit', () => reject(new Error('the platform ended')))
  })
}

async function measure(): Promise<Readonly<Record<string, number>>> {
  const base = `http://127.0.0.1:${portBase + 2}/api/v1`
  const timed = async (path: string): Promise<number> => {
    const from = performance.now()
    const response = await fetch(base + path)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return performance.now() - from
  }
  const measured = async (pathOf: (n: number, q: string) => string): Promise<readonly number[]> => {
    const times: number[] = []
    for (let n = 0; n < requests; n++) times.push(await timed(pathOf(n, rareWords[n % rareWords.length] ?? '')))
    return times.sort((a, b) => a - b)
  }
  const figures: Record<string, number> = {}
  const add = (name: string, times: readonly number[]): void => {
    figures[`${name} p50`] = times[Math.floor(times.length * 0.5)] ?? Number.NaN
    figures[`${name} p95`] = times[Math.floor(times.length * 0.95)] ?? Number.NaN
  }
  add('whole map', await measured((n, q) => `/map?q=${q}&zoom=${n % 4}`))
  add('map of an area', await measured((n, q) => `/map?q=${q}&bbox=${n - 100},-30,${n - 20},40&zoom=${3 + (n % 8)}`))
  add('filtered map', await measured((n, q) => `/map?q=${q}&sentiment=negative&lang=fr&from=2025-0${1 + (n % 9)}-01`))
  add('stats', await measured((_, q) => `/stats?q=${q}`))
  add('domains', await measured((_, q) => `/domains?q=${q}`))
  return figures
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
