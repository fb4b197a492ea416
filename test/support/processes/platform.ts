import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDataDir, temporaryDataDir } from '../engines/databases.ts'
import { type EngineAddresses, openPlatformEngines } from '../engines/platform-engines.ts'
import { freePortBase } from './free-ports.ts'
import { type CapturedProcess, cleanEnvironment, type RunningProcess, startProcess, stopProcess, untilReady } from './platform-process.ts'

export const sharedLayouts = ['one', 'split'] as const
export type SharedLayout = (typeof sharedLayouts)[number]
const { TEST_LAYOUT: onlyLayout } = process.env
/** The layouts of journeys: all, or the one that TEST_LAYOUT names. */
export const layouts: readonly SharedLayout[] =
  onlyLayout === undefined ? sharedLayouts : sharedLayouts.filter((name) => name === onlyLayout)
if (layouts.length === 0) throw new Error(`TEST_LAYOUT must be one of ${sharedLayouts.join(', ')}, not ${onlyLayout}`)
/** `one` process for everything; `split` into subgraphs, workers, REST and gateway; `apart`: a process per role */
export type Layout = SharedLayout | 'apart'

export const components = ['verification', 'exploration', 'classification', 'administration', 'content'] as const
export type Component = (typeof components)[number]

const withWorker: readonly Component[] = ['verification', 'exploration', 'classification']

/** Addresses and credentials of a platform. */
export interface Platform {
  readonly layout: Layout
  readonly graphqlUrl: string
  readonly rest: Readonly<Record<Component, string>>
  readonly apiKey: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  readonly processes: readonly CapturedProcess[]
}

/** A platform that a test may stop. */
export interface System extends Platform, AsyncDisposable {
  readonly processes: RunningProcess[]
  /** Starts another process of the same platform and waits until it is ready. */
  start(roles: readonly string[], env?: Readonly<Record<string, string>>): Promise<RunningProcess>
  stop(): Promise<void>
}

export interface PlatformOptions {
  readonly layout?: Layout
  /** Real engines, with its own database and Redis prefix, removed afterwards; embedded ones when absent. */
  readonly engines?: EngineAddresses | undefined
  /** Components to run, all when absent: one component starts in a third of the time. */
  readonly components?: readonly Component[]
  /** Components with a worker, all when absent: the threads that analyse images dominate the start. */
  readonly workers?: readonly Component[]
  readonly env?: Readonly<Record<string, string>>
  /** Retained if passed; a temporary one is removed at the end. */
  readonly dataDir?: string
  readonly portBase?: number
  /** Of another release, see previous-release.ts. */
  readonly main?: string
}

/** Starts the compiled platform on its own ports. */
export async function startPlatform({
  layout = 'one',
  engines,
  components: started = components,
  workers: working = started,
  env = {},
  dataDir,
  portBase,
  main,
}: PlatformOptions = {}): Promise<System> {
  const folder = dataDir ?? (await temporaryDataDir())
  const base = portBase ?? (await freePortBase())
  const real = engines === undefined ? undefined : await openPlatformEngines(engines)
  const environment = {
    ...cleanEnvironment(),
    NODE_ENV: 'development',
    DATA_DIR: folder,
    PORT_BASE: String(base),
    LOG_LEVEL: 'info',
    DEMO_DATA: 'off',
    // decisions are final at once; the component tests hold them
    REVIEW_UNDO_MINUTES: '0',
    ...real?.env,
    ...env,
  }
  const processes: RunningProcess[] = []
  const start = async (roles: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<RunningProcess> => {
    const running = startProcess(roles, { ...environment, ...more }, main)
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
    // with these keys the platform generates no development key
    const usesGeneratedKey = env.VERIFICATION_API_KEYS === undefined
    const credentials = usesGeneratedKey
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
