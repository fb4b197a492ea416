import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { RedisAddress } from '../../../../foundation/engine-start/redis-address.ts'
import { freePortBase } from '../../processes/free-ports.ts'
import { type Gate, openGate } from '../../processes/gate.ts'

const masters = 3
const slots = 16_384
/** Offset of the bus ports, on which nodes connect to each other. */
const busOffset = 20
const readyLimitMs = 30_000

/** Six local servers: three masters, each with a replica. Clients reach every one of them through a gate. */
export interface RedisCluster extends AsyncDisposable {
  readonly address: RedisAddress & { readonly clusterNodes: NonNullable<RedisAddress['clusterNodes']> }
  /** Of all nodes together. */
  readonly gates: Pick<Gate, 'freeze' | 'cut' | 'open' | 'forget'>
  /** Kills the master of this key, once its replica is up to date. */
  killMasterOf(key: string): Promise<void>
}

export async function openRedisCluster(): Promise<RedisCluster> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-redis-cluster-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const password = randomBytes(12).toString('hex')
  const base = await freePortBase()
  const client = (port: number): Redis => {
    const redis = new Redis({ port, password, maxRetriesPerRequest: null, retryStrategy: () => 50 })
    redis.on('error', () => undefined)
    opened.defer(() => redis.disconnect())
    return redis
  }
  const node = async (number: number) => {
    const [port, bus] = [base + number, base + busOffset + number]
    const gate = opened.use(await openGate(`redis://127.0.0.1:${port}`))
    const own = join(folder, String(number))
    await mkdir(own)
    const settings = {
      port,
      bind: '127.0.0.1',
      dir: own,
      save: '',
      requirepass: password,
      masterauth: password,
      'cluster-enabled': 'yes',
      'cluster-port': bus,
      'cluster-announce-ip': '127.0.0.1',
      'cluster-announce-port': new URL(gate.url).port,
      'cluster-node-timeout': 1000,
      // a replica counts after its first data: by default a master waits five seconds for more replicas, and sends its first ping after ten
      'repl-diskless-sync-delay': 0,
      'repl-ping-replica-period': 1,
    }
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    const process = spawn('redis-server', words, { stdio: 'ignore' })
    opened.defer(() => ended(process))
    return { port, bus, gate, process, redis: client(port) }
  }
  const nodes = await Promise.all(Array.from({ length: 2 * masters }, (_, number) => node(number)))
  const leading = nodes.slice(0, masters)
  for (const [index, { redis }] of leading.entries()) {
    const first = (at: number): number => Math.floor((slots * at) / masters)
    await redis.cluster('ADDSLOTSRANGE', first(index), first(index + 1) - 1)
    await redis.cluster('SET-CONFIG-EPOCH', index + 1)
  }
  const [met] = nodes
  for (const { port, bus } of nodes.slice(1)) await met?.redis.call('CLUSTER', 'MEET', '127.0.0.1', port, bus)
  for (const [index, { redis }] of nodes.slice(masters).entries()) {
    const master = String(await leading[index]?.redis.cluster('MYID'))
    await until(async () => String(await redis.cluster('NODES')).includes(master))
    await redis.cluster('REPLICATE', master)
  }
  // each node has discovered the others and their replicas
  for (const { redis } of nodes)
    await until(async () => {
      const ranges = await redis.cluster('SLOTS')
      return (
        ranges.length === masters && ranges.every((range) => range.length === 4) && /state:ok/.test(String(await redis.cluster('INFO')))
      )
    })
  const each = (what: keyof RedisCluster['gates']): void => {
    for (const { gate } of nodes) gate[what]()
  }
  const cleanup = opened.move()
  return {
    address: {
      url: `redis://:${password}@nowhere.invalid:1`,
      clusterNodes: nodes.slice(0, 2).map(({ gate }) => ({ host: '127.0.0.1', port: Number(new URL(gate.url).port) })),
    },
    gates: { freeze: () => each('freeze'), cut: () => each('cut'), open: () => each('open'), forget: () => each('forget') },
    async killMasterOf(key) {
      const [queried] = nodes.filter(({ process }) => isAlive(process))
      const slot = Number(await queried?.redis.cluster('KEYSLOT', key))
      const ranges = await queried?.redis.cluster('SLOTS')
      const [, , [, port] = []] = ranges?.find(([first, last]) => slot >= first && slot <= last) ?? []
      const master = nodes.find(({ gate }) => Number(new URL(gate.url).port) === port)
      if (master === undefined) throw new Error(`no master has ${key}`)
      await until(async () => hasAll(await master.redis.info('replication')))
      await ended(master.process)
    },
    [Symbol.asyncDispose]: () => cleanup[Symbol.asyncDispose](),
  }
}

/** Whether the first replica of a master is up to date. */
const hasAll = (replication: string): boolean => {
  const [, offset] = /^slave0:.*offset=(\d+)/m.exec(replication) ?? []
  return offset !== undefined && replication.includes(`master_repl_offset:${offset}`)
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

async function ended(process: ChildProcess): Promise<void> {
  if (!isAlive(process)) return
  process.kill('SIGKILL')
  await once(process, 'exit')
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + readyLimitMs; !(await isSo()); await sleep(20))
    if (Date.now() > limit) throw new Error(`the Redis Cluster was not ready in ${readyLimitMs} ms`)
}
