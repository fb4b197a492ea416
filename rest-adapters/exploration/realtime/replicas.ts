import { randomUUID } from 'node:crypto'
import { createAdapter } from '@socket.io/redis-adapter'
import type { ServerOptions, Server as SocketServer } from 'socket.io'
import { z } from 'zod'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import type { RedisAddress } from '../../../foundation/engine-start/redis-address.ts'
import { openRedis, type RedisClient, retryDelayMs } from '../../../foundation/engine-start/redis-client.ts'
import { messageOf } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

/** The processes that serve the realtime channel of one platform. They exchange the number of clients of each. */
export interface Replicas extends Part {
  readonly adapter: Pick<Partial<ServerOptions>, 'adapter'>
  /** @param onCount - receives the number of clients of all replicas when it changes */
  attach(io: SocketServer, onCount: (clients: number) => void): void
  /** sets the number of clients of this replica */
  changed(clients: number): void
}

/** delay that merges changes */
const gatherMs = 1000
const aliveMs = 5000
const goneMs = 3 * aliveMs

/** Returns the implementation for a single process. */
export function oneReplica(): Replicas {
  let report: (clients: number) => void = () => undefined
  const counted = gathered((clients) => report(clients))
  return {
    name: 'realtime audience',
    adapter: {},
    attach: (_, onCount) => {
      report = onCount
    },
    changed: counted.set,
    start: async () => undefined,
    stop: async () => counted.stop(),
  }
}

/** `copy` is the replica: the member keeps its name for compatibility with other versions */
const Report = z.object({ copy: z.string(), clients: z.int().min(0) })

/**
 * Several processes on one Redis. Pub/sub is sufficient: reports are repeated every 5 s. Events do not use it, see
 * docs/decisions/0010-each-replica-follows-the-feed.md. While Redis is unavailable, each replica counts only its own clients.
 */
export function replicasOnRedis({ prefix, log, ...address }: RedisAddress & { readonly prefix: string; readonly log: Log }): Replicas {
  const own = randomUUID()
  const others = new Map<string, { readonly clients: number; readonly at: number }>()
  const connect = (): RedisClient => {
    const redis = openRedis(address, {
      lazyConnect: true,
      connectTimeout: 2000,
      maxRetriesPerRequest: null,
      disconnectTimeout: 200,
      retry: retryDelayMs,
    })
    redis.on('error', (error) => log.debug({ reason: messageOf(error) }, 'the realtime channel cannot reach Redis'))
    return redis
  }
  const [publisher, subscriber] = [connect(), connect()]
  let io: SocketServer | undefined
  let onCount: (clients: number) => void = () => undefined
  let clients = 0
  let reported = 0
  let alive: NodeJS.Timeout | undefined
  const sum = (): void => {
    const now = performance.now()
    for (const [replica, { at }] of others) if (now - at > goneMs) others.delete(replica)
    const total = [...others.values()].reduce((all, other) => all + other.clients, clients)
    if (total !== reported) onCount(total)
    reported = total
  }
  const report = (): void => {
    if (publisher.status === 'ready') io?.serverSideEmit('clients', { copy: own, clients })
    sum()
  }
  const counted = gathered((count) => {
    clients = count
    report()
  })
  return {
    name: 'realtime replicas',
    adapter: { adapter: createAdapter(forAdapter(publisher), forAdapter(subscriber), { key: `${prefix}:realtime` }) },
    attach(server, listener) {
      io = server
      onCount = listener
      io.on('clients', (content: unknown) => {
        const read = Report.safeParse(content)
        if (!read.success || read.data.copy === own) return
        others.set(read.data.copy, { clients: read.data.clients, at: performance.now() })
        sum()
      })
    },
    changed: counted.set,
    async start(signal) {
      const connected = Promise.all([publisher.connect(), subscriber.connect()])
      // if the first attempt fails, the client continues in the background
      await withTimeout(connected, 2000, signal, () => new Error('no response yet')).catch(() => undefined)
      alive = setInterval(report, aliveMs)
    },
    async stop() {
      clearInterval(alive)
      counted.stop()
      for (const redis of [publisher, subscriber]) redis.disconnect()
    },
  }
}

/** Adapts a Redis client. The adapter ignores the promises it receives: a rejected one would end the process. */
function forAdapter(redis: RedisClient) {
  const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined)
  return {
    publish: (channel: string, content: string | Buffer) => quietly(redis.publish(channel, content)),
    psubscribe: (pattern: string) => quietly(redis.psubscribe(pattern)),
    punsubscribe: (pattern: string) => quietly(redis.punsubscribe(pattern)),
    subscribe: (channels: string[]) => quietly(redis.subscribe(...channels)),
    unsubscribe: (channels: string[]) => quietly(redis.unsubscribe(...channels)),
    on: redis.on.bind(redis),
    off: redis.off.bind(redis),
  }
}

/** Reports the last of the numbers within a second. */
function gathered(report: (value: number) => void) {
  let timer: NodeJS.Timeout | undefined
  let value = 0
  return {
    set(next: number): void {
      value = next
      timer ??= setTimeout(() => {
        timer = undefined
        report(value)
      }, gatherMs)
    },
    stop: (): void => clearTimeout(timer),
  }
}
