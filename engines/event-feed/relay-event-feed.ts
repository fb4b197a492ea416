import { createPostgresRelayBackend, Relay, type RelayListener } from 'bullmq'
import { z } from 'zod'
import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { type Client, connectPostgres, connectRedis, PersistentConnection, type QueueConnection } from '../job-queue/bullmq-connection.ts'
import type { Database } from '../relational/database.ts'
import type { Announcer, EventFeed } from './event-feed.ts'
import { advanceCursor, appendEvents, detailsOf, forgetCursor, idsSince, pruneEvents, readCursor, readPosition } from './event-table.ts'
import { TopicTail } from './topic-tail.ts'

const pruneEveryMs = 60_000
const namespace = 'events'
/** Maximum number of pending announcements; further ones are dropped, since followers poll every second anyway. */
const maxAnnouncements = 100

const Announcement = z.object({ topic: z.string(), position: z.number() })

interface BullmqRelay extends Client {
  publish(topic: string, data: unknown): Promise<unknown>
  subscribe(pattern: string, listener: RelayListener): Promise<unknown>
}

/**
 * Stores events in the table `event`; BullMQ's Relay, on PostgreSQL or Redis, only announces them. Without it followers poll every second. @param
 * options - `window`: number of latest events retained per topic; `pollEveryMs`: interval of the poll
 */
export function relayEventFeed(options: {
  readonly database: Database
  readonly connection: QueueConnection
  readonly log: Log
  readonly window?: number
  readonly pollEveryMs?: number
}): EventFeed & Announcer & Part {
  const { database, connection, log, window = 10_000, pollEveryMs = 1000 } = options
  const tails = new Map<string, TopicTail>()
  const listeners = new Map<string, Set<() => void>>()
  const notify = (topic: string, position: number): void => {
    tails.get(topic)?.announced(position)
    for (const listener of listeners.get(topic) ?? []) listener()
  }
  const stopping = new AbortController()
  let hasWarned = false
  const onError = (error: unknown): void => {
    if (!hasWarned && !stopping.signal.aborted) log.warn({ err: error }, 'cannot read events, retrying')
    hasWarned = true
  }
  const tailOf = (topic: string): TopicTail => {
    const tail = tails.get(topic) ?? new TopicTail(database, topic, pollEveryMs, onError)
    tails.set(topic, tail)
    return tail
  }
  const relay = new PersistentConnection<BullmqRelay>(
    'event announcements',
    () => {
      if (connection.kind === 'postgres') {
        const { connection: pool, end } = connectPostgres(connection, { connections: 2, log, isRelaxed: true })
        return { client: new Relay({ namespace, connection: pool, backend: createPostgresRelayBackend }), end }
      }
      const { connection: redis, ...ends } = connectRedis(connection, true)
      return { client: new Relay({ namespace, connection: redis, prefix: connection.prefix }), ...ends }
    },
    log,
  )
  let announcing = 0
  const publish = async (topic: string, position: number): Promise<void> => {
    announcing++
    try {
      await relay.client.publish(topic, { topic, position })
      relay.reportSuccess()
    } catch (error) {
      relay.reportFailure(error)
    } finally {
      announcing--
    }
  }
  const prune = () => pruneEvents(database, window)
  const pruning = periodic(
    'event pruning',
    pruneEveryMs,
    async () => {
      hasWarned = false
      await prune()
    },
    onError,
  )
  return {
    name: 'event feed',
    get absence() {
      return relay.absence
    },
    append: appendEvents,
    announce(topic, position) {
      notify(topic, position)
      if (announcing < maxAnnouncements) void publish(topic, position)
    },
    onAnnounced(topic, listener) {
      const topicListeners = listeners.get(topic) ?? new Set()
      listeners.set(topic, topicListeners.add(listener))
      return () => void topicListeners.delete(listener)
    },
    async position(topic, signal) {
      signal.throwIfAborted()
      return readPosition(database, topic)
    },
    follow: (topic, after, signal) => tailOf(topic).follow(after, AbortSignal.any([signal, stopping.signal])),
    readCursor: (follower, topic) => readCursor(database, follower, topic),
    advance: advanceCursor,
    forgetCursor,
    detailsOf,
    idsSince,
    prune,
    async start(signal) {
      await relay.start(signal, async (opened) => {
        await opened.subscribe('>', ({ data }) => {
          const { topic, position } = Announcement.parse(data)
          notify(topic, position)
        })
      })
      await pruning.start(signal)
    },
    async stop() {
      stopping.abort()
      await pruning.stop()
      await relay.stop()
    },
  }
}
