import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePortBase } from '../processes/free-ports.ts'

/** Debian installs it outside the PATH of ordinary users. */
const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) => existsSync(path))
const readyLimitMs = 20_000

/** Whether PgBouncer is installed. */
export const hasPgBouncer = (): boolean => program !== undefined

/**
 * A PgBouncer that pools transactions before a local server, configured as docs/operations/several-nodes.md documents.
 * @returns `url`: the same databases, through it
 */
export async function openPgBouncer(serverUrl: string): Promise<AsyncDisposable & { readonly url: string }> {
  if (program === undefined) throw new Error('there is no pgbouncer on this machine')
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const port = await freePortBase()
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-pgbouncer-'))
  await writeFile(join(folder, 'users.txt'), `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: 8,
    server_login_retry: 1,
    ignore_startup_parameters: 'statement_timeout, idle_in_transaction_session_timeout',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`)
  // it refuses to run as root
  const isRoot = process.getuid?.() === 0
  if (isRoot) await promisify(execFile)('chown', ['-R', 'postgres', folder])
  await chmod(folder, 0o755)
  const bouncer = spawn(program, ['-q', ...(isRoot ? ['-u', 'postgres'] : []), file], { stdio: 'ignore' })
  const dispose = async (): Promise<void> => {
    bouncer.kill('SIGKILL')
    if (bouncer.exitCode === null && bouncer.signalCode === null) await once(bouncer, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
  for (const until = Date.now() + readyLimitMs; !(await listens(port)); await sleep(50))
    if (Date.now() > until || bouncer.exitCode !== null) {
      await dispose()
      throw new Error(`PgBouncer does not start (it ended with ${bouncer.exitCode})`)
    }
  return { url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(port) }).href, [Symbol.asyncDispose]: dispose }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(socket.destroy() !== undefined))
      .once('error', () => resolve(false))
  })
