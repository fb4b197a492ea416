import { randomUUID } from 'node:crypto'
import { createAdapter } from '@socket.io/redis-adapter'
import type { ServerOptions, Server as SocketServer } from 'socket.io'
import { z } from 'zod'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import type { RedisAddress } from '../../../foundation/engine-start/redis-address.ts'
import { openRedis, type RedisClient, triesOn } from '../../../foundation/engine-start/redis-client.ts'
import { messageOf } from '../../../foundation/fault.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'

/** The processes that serve the realtime channel of one platform. What they tell each other is how many clients each has. */
export interface Replicas extends Part {
  readonly adapter: Pick<Partial<ServerOptions>, 'adapter'>
  /** @param tell - gets the number of clients of all replicas, when it has changed */
  attach(io: SocketServer, tell: (clients: number) => void): void
  /** how many clients this replica has */
  changed(clients: number): void
}

/** how long a change may gather others before it is told */
const gatherMs = 1000
const aliveMs = 5000
const goneMs = 3 * aliveMs

/** One process. */
export function oneReplica(): Replicas {
  let tell: (clients: number) => void = () => undefined
  const counted = gathered((clients) => tell(clients))
  return {
    name: 'realtime audience',
    adapter: {},
    attach: (_, told) => {
      tell = told
    },
    changed: counted.set,
    start: async () => undefined,
    stop: async () => counted.stop(),
  }
}

/** `copy` is the replica: the member keeps the name under which those of other versions know it */
const Report = z.object({ copy: z.string(), clients: z.int().min(0) })

/**
 * Several processes behind one Redis. Pub/sub is enough here: a report that is lost comes again after 5 s. Events do not take this way, see
 * docs/decisions/0010-each-replica-follows-the-feed.md. Redis may be away: then each replica knows only of its own clients.
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
      retry: triesOn,
    })
    redis.on('error', (error) => log.debug({ reason: messageOf(error) }, 'the realtime channel cannot reach Redis'))
    return redis
  }
  const [publisher, subscriber] = [connect(), connect()]
  let io: SocketServer | undefined
  let tell: (clients: number) => void = () => undefined
  let clients = 0
  let told = 0
  let alive: NodeJS.Timeout | undefined
  const sum = (): void => {
    const now = performance.now()
    for (const [replica, { at }] of others) if (now - at > goneMs) others.delete(replica)
    const total = [...others.values()].reduce((all, other) => all + other.clients, clients)
    if (total !== told) tell(total)
    told = total
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
      tell = listener
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
      // fails on the first try and goes on trying in the background
      await withTimeout(connected, 2000, signal, () => new Error('no answer yet')).catch(() => undefined)
      alive = setInterval(report, aliveMs)
    },
    async stop() {
      clearInterval(alive)
      counted.stop()
      for (const redis of [publisher, subscriber]) redis.disconnect()
    },
  }
}

/** What the adapter needs of a client. It looks after none of the promises that it is given: one that fails would end the process. */
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

/** Tells the last of the numbers that come within a second. */
function gathered(tell: (value: number) => void) {
  let timer: NodeJS.Timeout | undefined
  let value = 0
  return {
    set(next: number): void {
      value = next
      timer ??= setTimeout(() => {
        timer = undefined
        tell(value)
      }, gatherMs)
    },
    stop: (): void => clearTimeout(timer),
  }
}
