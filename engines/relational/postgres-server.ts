import { type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { messageOf } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { changeOwner, type PostgresHome } from './postgres-home.ts'

const readyLimitMs = 60_000
const commandLimitMs = 120_000
const maxLogBytes = 4 * 1024 * 1024

/** Durable (fsync stays on), local connections only, no replication; the log contains neither statements nor values, which may be personal data. */
const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  // above statement errors (the server orders them error < log < fatal), whose messages quote values
  log_min_messages: 'log',
} as const

export interface Endpoint {
  readonly port: number
  readonly password: string
}

export const urlOf = ({ port, password }: Endpoint): string => `postgres://civigraph:${password}@127.0.0.1:${port}/postgres`

/** Creates the data folder atomically. */
export async function createCluster(home: PostgresHome, password: string): Promise<void> {
  const incomplete = `${home.cluster}.new`
  const passwordFile = `${home.cluster}.password`
  await rm(incomplete, { recursive: true, force: true })
  try {
    await mkdir(incomplete, { mode: 0o700 })
    await changeOwner(incomplete, home.owner)
    await writeFile(passwordFile, password, { mode: 0o600 })
    await changeOwner(passwordFile, home.owner)
    // the built-in locale is the same on every system; sorts and folds by code point
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    await run(home, 'initdb', ['-D', incomplete, '-U', 'civigraph', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...locale])
    await rename(incomplete, home.cluster)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(incomplete, { recursive: true, force: true })
  }
}

/** Returns process and port of the postmaster of a data folder; undefined if it does not run. */
export async function runningServer(cluster: string): Promise<{ readonly pid: number; readonly port: number } | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!Number.isInteger(pid) || pid <= 0 || !(await isPostgres(pid))) return undefined
  return { pid, port }
}

/** Whether a pid is a PostgreSQL process; it may have been reused. Checked by name, on Linux only. */
async function isPostgres(pid: number): Promise<boolean> {
  if (process.platform === 'linux') return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).startsWith('postgres')
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export interface StartOptions {
  /** another free port is used if it is taken */
  readonly preferredPort: number | undefined
  readonly password: string
  /** log file of the server, truncated beyond 4 MB */
  readonly logFile: string
  /** override `serverSettings` */
  readonly settings: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Starts the server and waits until it accepts connections; uses a free port if the preferred one is taken. @returns its port */
export async function startServer(home: PostgresHome, options: StartOptions): Promise<number> {
  const { preferredPort, signal } = options
  const until = Date.now() + readyLimitMs
  // A pid file without its process: the server or the machine was killed; the server recovers without the file.
  await rm(join(home.cluster, 'postmaster.pid'), { force: true })
  for (;;) {
    const port = await freePort(preferredPort)
    const failure = await launch(home, port, until, options)
    if (failure === undefined) return port
    // Processes of a killed server need a moment to exit; a port may be taken between check and start.
    if (!/shared memory block|is another postmaster|[Aa]ddress already in use/.test(failure) || Date.now() > until)
      throw new Error(`The embedded PostgreSQL in ${home.cluster} failed to start: ${failure}`)
    await pause(200, signal)
    signal.throwIfAborted()
  }
}

/** @returns why it failed, or undefined when it accepts connections */
async function launch(home: PostgresHome, port: number, until: number, { password, logFile, settings, signal }: StartOptions) {
  const large = await stat(logFile).then(
    ({ size }) => size > maxLogBytes,
    () => false,
  )
  const log = await open(logFile, large ? 'w' : 'a', 0o600)
  try {
    const from = (await log.stat()).size
    const options = Object.entries({ ...serverSettings, ...settings, port: `${port}` }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const server = spawn(join(home.programs, 'postgres'), ['-D', home.cluster, ...options], {
      ...spawnOptions(home),
      // its own process group: it survives this process while others use it, and does not receive Ctrl-C from the terminal
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    let ended: string | undefined
    server.once('error', (error) => (ended = messageOf(error)))
    server.once('exit', (code, killedBy) => (ended = `it exited with ${code ?? killedBy}`))
    server.unref()
    const answered = await waitUntilReady({ port, password }, home.cluster, () => ended === undefined, until, signal)
    if (answered) return undefined
    const logText = (await readFile(logFile, 'utf8')).slice(from)
    return /FATAL: {2}(.*)/.exec(logText)?.[1] ?? logText.trim().split('\n').at(-1) ?? ended ?? 'it does not respond'
  } finally {
    await log.close()
  }
}

/**
 * Waits until the server on this port accepts connections, including recovery. @returns false if it exited (see `runs`) or did not respond in time
 * @throws {Error} if another server uses the port, or the password is wrong
 */
export async function waitUntilReady(
  endpoint: Endpoint,
  cluster: string,
  runs: () => boolean | Promise<boolean>,
  until: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (let waitMs = 10; Date.now() < until; waitMs = Math.min(waitMs * 1.5, 200)) {
    signal.throwIfAborted()
    const client = new pg.Client({ connectionString: urlOf(endpoint), connectionTimeoutMillis: 5000, query_timeout: 5000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ data_directory: string }>('show data_directory')
      if ((await realpath(rows[0]?.data_directory ?? '/')) === (await realpath(cluster))) return true
      throw new Error(`Another PostgreSQL uses port ${endpoint.port}`)
    } catch (error) {
      const { code } = error as { code?: string }
      // 28P01 invalid_password; 57P03 cannot_connect_now: starting, recovering or stopping
      if (code === '28P01') throw new Error(`The PostgreSQL in ${cluster} rejects the password in postgres.json`, { cause: error })
      if (code === undefined && /^Another/.test(messageOf(error))) throw error
    } finally {
      await client.end().catch(() => undefined)
    }
    if (!(await runs())) return false
    await pause(waitMs, signal)
  }
  return false
}

/**
 * Stops the server: open transactions are rolled back, committed data is on disk. A server that cannot shut down cleanly, such as with a full disk,
 * is killed and recovers at the next start; otherwise it would neither exit nor accept connections.
 */
export async function stopServer(home: PostgresHome): Promise<void> {
  if ((await runningServer(home.cluster)) === undefined) return
  const stop = (mode: 'fast' | 'immediate', seconds: number): Promise<void> =>
    run(home, 'pg_ctl', ['stop', '-D', home.cluster, '-m', mode, '-w', '-t', String(seconds)])
  await stop('fast', 15).catch(() => stop('immediate', 30))
}

export const newPassword = (): string => randomBytes(24).toString('hex')

/**
 * @returns the major version of the data, such as 18
 * @throws {Error} if the folder is not a cluster
 */
export async function clusterVersion(cluster: string): Promise<string | undefined> {
  return existsSync(join(cluster, 'PG_VERSION')) ? (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim() : undefined
}

const spawnOptions = (home: PostgresHome): SpawnOptions => ({
  cwd: home.programs,
  // does not pass the environment of this process, which may contain secrets
  env: { LC_ALL: 'C', PATH: home.programs },
  ...home.owner,
})

/** Runs a PostgreSQL program to completion. @throws {Error} with the last line of its output */
function run(home: PostgresHome, program: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(home.programs, program), words, {
      ...spawnOptions(home),
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: commandLimitMs,
    })
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', (error) => reject(new Error(`${program} of the embedded PostgreSQL cannot be run: ${messageOf(error)}`)))
    child.once('close', (code, killedBy) =>
      code === 0
        ? resolve()
        : reject(new Error(`${program} of the embedded PostgreSQL failed: ${output.trim().split('\n').at(-1) || (killedBy ?? code)}`)),
    )
  })
}

/** @returns the preferred port if it is free, otherwise any free port */
function freePort(preferredPort = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => (preferredPort === 0 ? reject(error) : resolve(freePort())))
    probe.listen(preferredPort, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
