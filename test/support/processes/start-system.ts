import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeDataDir, temporaryDataDir } from '../engines/databases.ts'
import { freshPrefix } from '../engines/elasticsearch.ts'
import { clearRedis, realElasticsearch, realPostgres, realRedis, relationalEngines, skippedWithout } from '../engines/engines.ts'

/** The layouts that journeys are run in. */
export const layouts = ['one', 'split'] as const
/** `one` process for everything; `split` into subgraphs, workers, REST and gateway; `apart`: a process a role */
export type Layout = (typeof layouts)[number] | 'apart'

export const components = ['verification', 'exploration', 'classification', 'administration', 'content'] as const
export type Component = (typeof components)[number]

const withWorker: readonly Component[] = ['verification', 'exploration', 'classification']

const project = new URL('../../../', import.meta.url).pathname
const startLimitMs = 200_000

/** A process of the platform. */
export interface RunningProcess {
  readonly roles: readonly string[]
  readonly child: ChildProcess
  /** everything it has printed so far, both streams */
  readonly output: () => string
  /** resolves with the exit code, or the signal's name */
  readonly exited: Promise<number | string>
}

export interface System extends AsyncDisposable {
  readonly layout: Layout
  readonly graphqlUrl: string
  readonly rest: Readonly<Record<Component, string>>
  readonly apiKey: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly processes: RunningProcess[]
  /** starts one more process of the same platform and waits until it is ready */
  start(roles: readonly string[], env?: Readonly<Record<string, string>>): Promise<RunningProcess>
  stop(): Promise<void>
}

/** How a journey is run: the layout, and what the engines are. */
export interface Setup {
  readonly name: string
  readonly layout: Layout
  readonly engines: 'embedded' | 'real'
}

/**
 * The ways in which a journey has to work: one process on embedded engines, and several on the real ones; where there are none, several on
 * embedded ones, and the real ones are skipped and say so.
 * @param onReal - `apart` in a few journeys only: a dozen processes mostly start
 */
export function setups(onReal: Layout = 'split'): readonly Setup[] {
  const one: Setup = { name: 'one, on embedded engines', layout: 'one', engines: 'embedded' }
  if (realPostgres() !== undefined && realRedis() !== undefined)
    return [one, { name: `${onReal}, on real engines`, layout: onReal, engines: 'real' }]
  skippedWithout('DATABASE_URL and REDIS_URL', `${onReal}, on real engines`)
  return [one, { name: 'split, on embedded engines', layout: 'split', engines: 'embedded' }]
}

export interface SystemOptions {
  readonly layout?: Layout
  /** real: a database and a Redis prefix of its own, gone afterwards */
  readonly engines?: Setup['engines']
  /** those that run, all when absent: a journey through one component starts in a third of the time */
  readonly components?: readonly Component[]
  /** those whose worker runs, all that run when absent: the threads that look at images cost as much as all else at a start */
  readonly workers?: readonly Component[]
  readonly env?: Readonly<Record<string, string>>
  /** kept when given; a temporary one is removed at the end */
  readonly dataDir?: string
  readonly portBase?: number
}

/** Starts the compiled platform on ports of its own. */
export async function startSystem({
  layout = 'one',
  engines = 'embedded',
  components: started = components,
  workers: working = started,
  env = {},
  dataDir,
  portBase,
}: SystemOptions = {}): Promise<System> {
  const folder = dataDir ?? (await temporaryDataDir())
  const base = portBase ?? (await freePortBase())
  const real = engines === 'real' ? await openRealEngines() : undefined
  const environment = {
    ...cleanEnvironment(),
    NODE_ENV: 'development',
    DATA_DIR: folder,
    PORT_BASE: String(base),
    LOG_LEVEL: 'info',
    DEMO_DATA: 'off',
    ...real?.env,
    ...env,
  }
  const processes: RunningProcess[] = []
  const start = async (roles: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<RunningProcess> => {
    const running = startProcess(roles, { ...environment, ...more })
    processes.push(running)
    await untilReady(running)
    return running
  }
  const stop = async (): Promise<void> => {
    await Promise.all(processes.splice(0).map(stopProcess))
    await real?.[Symbol.asyncDispose]()
    if (dataDir === undefined) await removeDataDir(folder)
  }
  try {
    const subgraphs = started.map((name) => `subgraph:${name}`)
    const workers = working.filter((name) => withWorker.includes(name)).map((name) => `worker:${name}`)
    const rest = started.map((name) => `rest:${name}`)
    if (layout === 'one') await start(started === components && working === started ? [] : [...subgraphs, ...workers, ...rest, 'gateway'])
    else {
      const processesOf = (roles: readonly string[]) => (layout === 'split' ? [roles] : roles.map((role) => [role]))
      await Promise.all(processesOf(subgraphs).map((roles) => start(roles)))
      await Promise.all(
        [['gateway'], ...processesOf(workers), ...processesOf(rest)].filter(({ length }) => length > 0).map((roles) => start(roles)),
      )
    }
    if (real !== undefined && existsSync(join(folder, 'postgres.json'))) throw new Error('the platform chose an engine of its own')
    // with keys of its own the platform makes no development key
    const made = env.VERIFICATION_API_KEYS === undefined
    const credentials = made
      ? (JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as { verification_api_key: string })
      : undefined
    const addresses = Object.fromEntries(components.map((name, index) => [name, `http://127.0.0.1:${base + 1 + index}`])) as Record<
      Component,
      string
    >
    return {
      layout,
      graphqlUrl: `http://127.0.0.1:${base}/graphql`,
      rest: addresses,
      apiKey: credentials?.verification_api_key ?? '',
      dataDir: folder,
      env: environment,
      processes,
      start,
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * What a platform on real engines is given: keys, since it makes none there, and names of its own on servers that others use, too. The
 * search index is on Elasticsearch where there is one.
 */
async function openRealEngines(): Promise<AsyncDisposable & { readonly env: Readonly<Record<string, string>> }> {
  const [engine, redis] = [relationalEngines().find(({ name }) => name === 'real PostgreSQL'), realRedis()]
  if (engine === undefined || redis === undefined) throw new Error('real engines need DATABASE_URL and REDIS_URL')
  const { url, [Symbol.asyncDispose]: drop } = await engine.open()
  const prefix = `journey-${randomBytes(6).toString('hex')}`
  const elasticsearch = realElasticsearch()
  const indices = elasticsearch === undefined ? undefined : freshPrefix(elasticsearch)
  const key = (): string => randomBytes(32).toString('base64')
  return {
    env: {
      DATABASE_URL: url,
      REDIS_URL: redis,
      REDIS_PREFIX: prefix,
      VAULT_KEY: key(),
      PRINCIPAL_SIGNING_KEY: key(),
      PSEUDONYM_KEY: key(),
      ...(elasticsearch === undefined || indices === undefined
        ? {}
        : { ELASTICSEARCH_URL: elasticsearch, ELASTICSEARCH_PREFIX: indices.prefix }),
    },
    async [Symbol.asyncDispose]() {
      await clearRedis(prefix)
      await indices?.clear()
      await drop()
    },
  }
}

/** Starts a process of the platform without waiting for anything. */
export function startProcess(roles: readonly string[], env: Readonly<Record<string, string>>): RunningProcess {
  const child = spawn(process.execPath, [join(project, 'dist/platform/main.js'), ...roles], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = new Promise<number | string>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal ?? 'gone')))
  return { roles, child, output: () => output, exited }
}

export async function untilReady(running: RunningProcess): Promise<void> {
  const until = Date.now() + startLimitMs
  let code: number | string | undefined
  void running.exited.then((value) => (code = value))
  while (!/ready in \d+ ms/.test(running.output())) {
    if (code !== undefined)
      throw new Error(`${running.roles.join(' ') || 'all'} ended with ${code} before it was ready:\n${running.output()}`)
    if (Date.now() > until) throw new Error(`${running.roles.join(' ') || 'all'} was not ready in ${startLimitMs} ms:\n${running.output()}`)
    await sleep(20)
  }
}

/** SIGTERM, and after 30 s SIGKILL. @returns the exit code, or the signal's name */
export async function stopProcess({ child, exited }: RunningProcess): Promise<number | string> {
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const code = await exited
  clearTimeout(patience)
  return code
}

/** What the tests' own environment says about engines and settings does not reach the platform unless a test gives it. */
function cleanEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'USER', 'TMPDIR', 'LANG']
  return {
    // dozens of processes load the same code: the first of them compiles it
    NODE_COMPILE_CACHE: join(tmpdir(), `civigraph-compiled-${userInfo().username}`),
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  }
}

const given = new Set<number>()

/** Twenty ports in a row, below those that the system gives to clients; suites and tests that run side by side never get the same. */
export async function freePortBase(): Promise<number> {
  const lane = Number(process.env.VITEST_POOL_ID ?? 0) % 3
  for (let tries = 0; tries < 200; tries++) {
    const base = 20_000 + Math.floor(Math.random() * 200) * 60 + lane * 20
    const free = await Promise.all([0, 1, 2, 3, 4, 5, 9, 11, 12, 13, 14, 15].map((offset) => isFree(base + offset)))
    if (given.has(base) || !free.every(Boolean)) continue
    given.add(base)
    return base
  }
  throw new Error('no sixteen free ports in a row')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
