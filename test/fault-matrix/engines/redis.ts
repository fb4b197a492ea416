import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { restartAfterMs, SupervisedProcess } from '../processes/supervised-process.ts'
import type { Engine, Replica } from './engine.ts'
import type { SmallDisk } from './small-disk.ts'

const password = randomBytes(12).toString('hex')
const inStepLimitMs = 30_000

interface Server {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly process: SupervisedProcess
}

/** redis-server with every command on disk before the response (docs/engines.md); a replica copies it before a failover. */
export class RedisEngine implements Engine {
  readonly name = 'redis'
  readonly disk: SmallDisk | undefined
  readonly #folder: string
  #primary: Server
  #spare: number

  /** @param ports - of the primary, and of a replica */
  constructor(folder: string, disk: SmallDisk | undefined, [port, spare]: readonly [number, number]) {
    this.disk = disk
    this.#folder = folder
    this.#primary = this.#server(port)
    this.#spare = spare
  }

  get url(): string {
    return this.#primary.url
  }

  async start(): Promise<void> {
    await mkdir(this.#primary.folder, { recursive: true })
    await this.#primary.process.start()
  }

  stop = (): Promise<void> => this.#primary.process.stop()
  kill = (): Promise<void> => this.#primary.process.kill()
  freeze = (): Promise<void> => this.#primary.process.freeze()
  thaw = (): Promise<void> => this.#primary.process.thaw()
  untilReady = (): Promise<void> => this.#primary.process.untilReady()

  async restartEmpty(): Promise<void> {
    await this.stop()
    await rm(this.#primary.folder, { recursive: true, force: true })
    await this.start()
  }

  async openReplica(): Promise<Replica> {
    const before = this.#primary
    const after = this.#server(this.#spare)
    await mkdir(after.folder, { recursive: true })
    await after.process.start()
    // not a setting: a promoted server would follow the former primary after a restart
    await query(after.url, (redis) => redis.replicaof('127.0.0.1', before.port))
    for (
      const until = Date.now() + inStepLimitMs;
      !/master_link_status:up/.test(await query(after.url, (redis) => redis.info()));
      await sleep(100)
    )
      if (Date.now() > until) throw new Error('the replica of Redis does not follow its primary')
    return {
      promote: async () => {
        await before.process.stop('SIGKILL')
        await sleep(restartAfterMs)
        await query(after.url, (redis) => redis.replicaof('NO', 'ONE'))
        await rm(before.folder, { recursive: true, force: true })
        this.#primary = after
        this.#spare = before.port
        return after.url
      },
    }
  }

  #server(port: number): Server {
    const folder = join(this.#folder, `redis-${port}`)
    const url = `redis://:${password}@127.0.0.1:${port}/0`
    const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--maxmemory-policy', 'noeviction']
    const words = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--requirepass', password, '--masterauth', password]
    const process = new SupervisedProcess({
      name: 'redis',
      spawn: () => spawn('redis-server', [...words, ...settings], { stdio: ['ignore', 'pipe', 'pipe'] }),
      isReady: () =>
        query(url, (redis) => redis.info()).then(
          (info) => /loading:0/.test(info),
          () => false,
        ),
    })
    return { url, port, folder, process }
  }
}

async function query(url: string, question: (redis: Redis) => Promise<string>): Promise<string> {
  const redis = new Redis(url, { connectTimeout: 2000, commandTimeout: 5000, maxRetriesPerRequest: 0, retryStrategy: () => null })
  redis.on('error', () => undefined)
  try {
    return await question(redis)
  } finally {
    redis.disconnect()
  }
}
