import { execFile, spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { changeOwner, type PostgresHome, preparePostgresHome } from '../../../engines/relational/postgres-home.ts'
import { createCluster, newPassword, urlOf } from '../../../engines/relational/postgres-server.ts'
import { silentLog } from '../../../foundation/log.ts'
import { restartAfterMs, SupervisedProcess } from '../processes/supervised-process.ts'
import type { Engine, Replica } from './engine.ts'
import type { SmallDisk } from './small-disk.ts'

const inStepLimitMs = 30_000
/** Default durability; small, since its disk is. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  shared_buffers: '32MB',
  max_wal_size: '64MB',
  wal_keep_size: '32MB',
  jit: 'off',
  timezone: 'UTC',
}

interface Server {
  readonly url: string
  readonly port: number
  readonly cluster: string
  readonly process: SupervisedProcess
}

/** The embedded PostgreSQL as a separate server; before a failover a synchronous replica streams from it. */
export class PostgresEngine implements Engine {
  readonly name = 'postgres'
  readonly disk: SmallDisk | undefined
  readonly #home: PostgresHome
  readonly #password = newPassword()
  #primary: Server
  #spare: number

  private constructor(home: PostgresHome, disk: SmallDisk | undefined, [port, spare]: readonly [number, number]) {
    this.#home = home
    this.disk = disk
    this.#primary = this.#server(port)
    this.#spare = spare
  }

  /** @param ports - of the primary, and of a replica */
  static async make(folder: string, disk: SmallDisk | undefined, ports: readonly [number, number]): Promise<PostgresEngine> {
    await mkdir(folder, { recursive: true })
    const home = await preparePostgresHome(folder, silentLog)
    await changeOwner(folder, home.owner)
    const engine = new PostgresEngine({ ...home, cluster: folder }, disk, ports)
    await createCluster({ ...home, cluster: engine.#primary.cluster }, engine.#password)
    return engine
  }

  get url(): string {
    return this.#primary.url
  }

  start = (): Promise<void> => this.#primary.process.start()
  stop = (): Promise<void> => this.#primary.process.stop()
  kill = (): Promise<void> => this.#primary.process.kill()
  freeze = (): Promise<void> => this.#primary.process.freeze()
  thaw = (): Promise<void> => this.#primary.process.thaw()
  untilReady = (): Promise<void> => this.#primary.process.untilReady()

  async restartEmpty(): Promise<void> {
    await this.stop()
    await this.start()
  }

  async openReplica(): Promise<Replica & { readonly url: string; stop(): Promise<void> }> {
    const before = this.#primary
    const after = this.#server(this.#spare, {
      primary_conninfo: `host=127.0.0.1 port=${before.port} user=civigraph password=${this.#password}`,
    })
    await this.#copy(before, after.cluster)
    await after.process.start()
    // from here on a commit waits until the replica has it on disk
    await query(before.url, `alter system set synchronous_standby_names = '*'`)
    await query(before.url, 'select pg_reload_conf()')
    const inStep = `select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`
    for (const until = Date.now() + inStepLimitMs; (await query(before.url, inStep)).length === 0; await sleep(100))
      if (Date.now() > until) throw new Error(`the replica of PostgreSQL does not follow its primary: ${after.process.output}`)
    return {
      url: after.url,
      stop: () => after.process.stop(),
      promote: async () => {
        await before.process.stop('SIGKILL')
        await sleep(restartAfterMs)
        await query(after.url, 'select pg_promote()')
        await rm(before.cluster, { recursive: true, force: true })
        this.#primary = after
        this.#spare = before.port
        return after.url
      },
    }
  }

  /** A copy of the running server's files, which becomes consistent by replaying the log (PostgreSQL manual, "Making a Base Backup Using the Low Level API"). */
  async #copy(from: Server, cluster: string): Promise<void> {
    const client = new pg.Client({ connectionString: from.url })
    await client.connect()
    try {
      await client.query(`select pg_backup_start('replica', true)`)
      // a file that disappears during the copy is covered by the log
      await promisify(execFile)('cp', ['-a', from.cluster, cluster]).catch(() => undefined)
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      await rm(join(cluster, 'postmaster.pid'), { force: true })
      await promisify(execFile)('sh', ['-c', 'rm -rf "$0"/pg_wal/0* "$0"/pg_wal/archive_status/*', cluster])
      for (const [name, text] of [
        ['backup_label', rows[0]?.labelfile ?? ''],
        ['standby.signal', ''],
      ] as const) {
        await writeFile(join(cluster, name), text)
        await changeOwner(join(cluster, name), this.#home.owner)
      }
    } finally {
      await client.end()
    }
  }

  #server(port: number, more: Readonly<Record<string, string>> = {}): Server {
    const cluster = join(this.#home.cluster, `postgres-${port}`)
    const url = urlOf({ port, password: this.#password })
    const words = Object.entries({ ...settings, ...more, port: `${port}` }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { programs, owner } = this.#home
    const process = new SupervisedProcess({
      name: 'postgres',
      spawn: () => spawn(join(programs, 'postgres'), ['-D', cluster, ...words], { ...owner, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] }),
      isReady: () =>
        query(url, 'select 1').then(
          () => true,
          () => false,
        ),
      // a fast stop: open transactions are rolled back
      stopSignal: 'SIGINT',
    })
    return { url, port, cluster, process }
  }
}

export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 20_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
