import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { type PostgresHome, preparePostgresHome } from './postgres-home.ts'
import {
  clusterVersion,
  createCluster,
  newPassword,
  runningServer,
  startServer,
  stopServer,
  urlOf,
  waitUntilReady,
} from './postgres-server.ts'
import { isAlive, ownIdentity, withProcessLock } from './process-lock.ts'

/** DATA_DIR/postgres.json, readable by its owner only. `folder` informs operators where the data is. */
const Facts = z.object({ folder: z.string(), port: z.number().int(), password: z.string() })
type Facts = z.infer<typeof Facts>

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: Log
  readonly settings?: Readonly<Record<string, string>>
}

const stopLimitMs = 90_000
const watchEveryMs = 1000

/** The processes that use the server, each with a file in a folder. */
function serverUsers(folder: string) {
  let registration: string | undefined
  /** Removes dead processes. @returns the number of other users */
  const countOthers = async (): Promise<number> => {
    const names = await readdir(folder).catch((): string[] => [])
    const dead = names.filter((name) => !isAlive(name.split('.', 1)[0] ?? ''))
    await Promise.all(dead.map((name) => rm(join(folder, name), { force: true })))
    return names.filter((name) => !dead.includes(name) && join(folder, name) !== registration).length
  }
  const create = async (): Promise<void> => void (await mkdir(folder, { recursive: true }))
  return {
    create,
    countOthers,
    isRegistered: (): boolean => registration !== undefined,
    async register(): Promise<void> {
      await create()
      registration = join(folder, `${ownIdentity()}.${randomBytes(4).toString('hex')}`)
      await writeFile(registration, '')
      await countOthers()
    },
    async unregister(): Promise<void> {
      if (registration !== undefined) await rm(registration, { force: true })
      registration = undefined
    },
  }
}

/**
 * Runs PostgreSQL in DATA_DIR, shared by all processes with the same DATA_DIR: the first starts it, others join, the last one stops it. A server left
 * by a killed process is adopted; a killed server recovers.
 * @param settings - override the defaults; the process that starts the server sets them. Only tests disable durability
 */
export function embeddedPostgres({ dataDir, log, settings = {} }: EmbeddedPostgresOptions): Part & { url(): string } {
  const lock = join(dataDir, 'postgres.lock')
  const users = serverUsers(join(dataDir, 'postgres.users'))
  const factsFile = join(dataDir, 'postgres.json')
  let facts: Facts | undefined
  let home: PostgresHome | undefined
  let watch: Part | undefined

  const save = async (next: Facts): Promise<Facts> => {
    // an existing file would keep its mode
    await rm(`${factsFile}.new`, { force: true })
    await writeFile(`${factsFile}.new`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(`${factsFile}.new`, factsFile)
    return next
  }

  const enter = async (signal: AbortSignal): Promise<Facts> => {
    home = await preparePostgresHome(dataDir, log)
    const { cluster, majorVersion } = home
    const version = await clusterVersion(cluster)
    if (version !== undefined && version !== majorVersion)
      throw new Error(
        `${cluster} contains data of PostgreSQL ${version}, but version ${majorVersion} is installed: dump it with ${version} first`,
      )
    const facts = await readFacts(factsFile)
    if (version === undefined || (facts === undefined && (await putAside(cluster)))) {
      const newFacts = await save({ folder: cluster, port: facts?.port ?? 0, password: newPassword() })
      await createCluster(home, newFacts.password)
      return launch(home, newFacts, signal)
    }
    if (facts === undefined)
      throw new Error(
        `${factsFile} is missing or damaged, but contains the password of the database in ${cluster}: restore it, or remove ${cluster} to start with an empty database`,
      )
    const running = await runningServer(cluster)
    if (running !== undefined) {
      const joined = { ...facts, folder: cluster, port: running.port }
      const runs = async (): Promise<boolean> => (await runningServer(cluster)) !== undefined
      if (await waitUntilReady(joined, cluster, runs, Date.now() + stopLimitMs, signal)) {
        log.info({ port: joined.port }, 'joined the embedded PostgreSQL')
        return running.port === facts.port ? joined : save(joined)
      }
      if (await runs()) throw new Error(`The PostgreSQL that runs in ${cluster} (process ${running.pid}) does not respond`)
    }
    return launch(home, facts, signal)
  }
  /** A cluster outside DATA_DIR outlives it. After DATA_DIR was removed, renames the old cluster. */
  const putAside = async (cluster: string): Promise<boolean> => {
    if (cluster.startsWith(dataDir) || existsSync(factsFile) || (await runningServer(cluster)) !== undefined) return false
    const aside = `${cluster}.${Date.now()}`
    await rename(cluster, aside)
    log.warn({ aside }, 'DATA_DIR was removed but its database was not; renamed the old database')
    return true
  }
  const launch = async (at: PostgresHome, facts: Facts, signal: AbortSignal): Promise<Facts> => {
    const port = await startServer(at, {
      preferredPort: facts.port,
      password: facts.password,
      logFile: join(dataDir, 'postgres.log'),
      settings,
      signal,
    })
    log.info({ port }, 'started the embedded PostgreSQL')
    return port === facts.port ? facts : save({ ...facts, port })
  }

  /** Restarts the server if it has exited; the first process that notices does. */
  const watchServer = (): Part =>
    periodic(
      'watch over the embedded PostgreSQL',
      watchEveryMs,
      async (signal) => {
        if (home === undefined || (await runningServer(home.cluster)) !== undefined) return
        log.error('the embedded PostgreSQL exited, restarting')
        await withProcessLock(lock, signal, async () => {
          facts = await enter(signal)
        })
      },
      (error) => log.error({ reason: messageOf(error) }, 'could not restart the embedded PostgreSQL, retrying'),
    )

  return {
    name: 'embedded PostgreSQL',
    url() {
      if (facts === undefined) throw new Error('The embedded PostgreSQL has not been started')
      return urlOf(facts)
    },
    async start(signal) {
      await users.create().catch((error: unknown) => {
        throw new Error(`DATA_DIR (${dataDir}) cannot be written: ${messageOf(error)}`)
      })
      await withProcessLock(lock, signal, async () => {
        await users.register()
        facts = await enter(signal)
      })
      watch = watchServer()
      await watch.start(signal)
    },
    async stop() {
      await watch?.stop()
      if (!users.isRegistered()) return
      await withProcessLock(lock, AbortSignal.timeout(stopLimitMs), async () => {
        await users.unregister()
        if ((await users.countOthers()) > 0 || home === undefined) return
        await stopServer(home)
        log.info('stopped the embedded PostgreSQL')
      })
    },
  }
}

async function readFacts(file: string): Promise<Facts | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read: ${messageOf(error)}`)
  }
  try {
    return Facts.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
