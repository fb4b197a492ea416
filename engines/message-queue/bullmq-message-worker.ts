import { randomUUID } from 'node:crypto'
import { createPostgresBackend, type Job, Worker } from 'bullmq'
import { z } from 'zod'
import { withTimeout } from '../../foundation/concurrency/timeout.ts'
import { EngineUnavailable } from '../../foundation/fault.ts'
import { newerSentence } from '../../foundation/health/newer-format.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import {
  type Client,
  connectPostgres,
  connectRedis,
  type OpenClient,
  PersistentConnection,
  type QueueConnection,
  queuePrefix,
} from '../job-queue/bullmq-connection.ts'
import type { ClaimedMessage } from './dead-letters.ts'
import { type BatchOptions, type Message, type MessageHandler, messageFormat } from './message-queue.ts'

const leaveNoTrace = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } }
/** high, since engines may be unavailable for days and workers restart as often */
const maxStalledCount = 1000
const defaultLockMs = 10_000
const retryMs = 1000
/** A wait for the next message ends after 10 s; one that does not, such as after a cluster master failed, never ends. */
const nextLimitMs = 30_000
/** poll interval for a queue on which waiting is not possible */
const restMs = 20
/** how long a stop waits for messages in progress, ms */
const drainTimeoutMs = 5000
const closeLimitMs = 2000

class Unanswered extends Error {
  constructor() {
    super(`no response to the request for the next message within ${nextLimitMs / 1000} s`)
  }
}

type ClaimedJob = Pick<Job, 'id' | 'name' | 'data' | 'extendLock' | 'moveToCompleted' | 'moveToDelayed'>

const Formatted = z.object({ format: z.int() })
const formatOf = (content: unknown): number => Formatted.safeParse(content).data?.format ?? 1

/** Consumes messages; those of newer formats wait in the queue. */
export interface MessageWorker extends Part {
  /** number of messages left to a newer release and not taken since */
  readonly newer: number
}

interface BullmqWorker extends Client {
  getNextJob(token: string, options?: { block?: boolean }): Promise<ClaimedJob | undefined>
  startStalledCheckTimer(): Promise<void>
  readonly backend: { disconnectBlocking(): Promise<void> }
}

interface MessageWorkerOptions {
  readonly name: string
  readonly connection: QueueConnection
  readonly log: Log
  readonly handler: MessageHandler
  readonly gathering?: BatchOptions
  readonly lockMs?: number
  readonly leaveForMs?: number
  readonly format?: number
  readonly storeDead: (message: ClaimedMessage, error: unknown) => Promise<void>
}

function openWorker({ name, connection, log }: MessageWorkerOptions, lockMs: number): OpenClient<BullmqWorker> {
  const common = { autorun: false, lockDuration: lockMs, stalledInterval: lockMs / 2, maxStalledCount, ...leaveNoTrace }
  if (connection.kind === 'postgres') {
    // records that a message was taken or done: if lost, the message is delivered again, as after a crash
    const { connection: pool, end } = connectPostgres(connection, { connections: 2, log, isRelaxed: true })
    return { client: new Worker(name, null, { ...common, connection: pool }, createPostgresBackend), end }
  }
  const { connection: redis, ...ends } = connectRedis(connection, true)
  return { client: new Worker(name, null, { ...common, connection: redis, prefix: queuePrefix(connection) }), ...ends }
}

/**
 * Returns a function that hands messages to the handler and stores those that it cannot handle as dead letters. @param signal - aborted when the
 * worker stops
 */
function handling({ name, handler, storeDead, log }: MessageWorkerOptions, signal: AbortSignal) {
  /** @returns false if they are not done: they are delivered again after their locks expire */
  const handle = async (messages: readonly Message[]): Promise<boolean> => {
    for (;;) {
      try {
        await handler(messages, signal)
        return true
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) return giveUp(messages, error)
        await pause(retryMs, signal)
        if (signal.aborted) return false
      }
    }
  }

  /** Stores one dead letter without affecting its neighbours. */
  const giveUp = async (messages: readonly Message[], error: unknown): Promise<boolean> => {
    if (messages.length > 1) {
      for (const message of messages) if (!(await handle([message]))) return false
      return true
    }
    for (const { name: kind, content } of messages)
      if (!(await keep({ queue: name, kind, content, format: formatOf(content) }, error))) return false
    return true
  }

  const keep = async (message: ClaimedMessage, error: unknown): Promise<boolean> => {
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        await storeDead(message, error)
        // Neither rethrown nor quoted: it may contain message content.
        const thrown = error instanceof Error ? error.name : typeof error
        log.error({ queue: name, kind: message.kind, thrown }, 'message moved to dead letters')
        return true
      } catch (failure) {
        // nor this one, which may quote the letter
        const reason = failure instanceof EngineUnavailable ? failure.message : failure instanceof Error ? failure.name : typeof failure
        if (tries === 0)
          log.error({ queue: name, kind: message.kind, reason }, 'could not store a dead letter; it and the messages after it wait')
        await pause(retryMs, signal)
      }
    }
    return false
  }

  return handle
}

/**
 * Consumes a queue in groups; without `gathering` each message is a group. While an engine is unavailable messages wait; messages in progress of a
 * dead worker go to another one. A message with an unknown `format` is returned repeatedly until a process that knows it takes it. Uses BullMQ's
 * manual processing: its own loop polls five times per message, this one about twice.
 * @param options - `lockMs`: messages that a worker does not renew for this long go to another one; `leaveForMs`: how long a message of a newer
 * format is left; `format`: newest that the handler can read; `storeDead`: stores a message that cannot be handled before it is removed from the
 * queue; while it fails the message waits, and after a crash in between it is stored twice
 */
export function bullmqMessageWorker(options: MessageWorkerOptions): MessageWorker {
  const { name, log, gathering = { max: 1, gatherMs: 0 }, lockMs = defaultLockMs } = options
  const { leaveForMs = 30_000, format = messageFormat } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const token = randomUUID()
  const worker = new PersistentConnection<BullmqWorker>('message broker', () => openWorker(options, lockMs), log)

  const handle = handling(options, signal)

  const extend = async (jobs: readonly ClaimedJob[], endController: AbortSignal): Promise<void> => {
    while (!endController.aborted) {
      await pause(0.4 * lockMs, endController)
      if (!endController.aborted) await Promise.allSettled(jobs.map((job) => job.extendLock(token, lockMs)))
    }
  }

  /** time of the last return by id; a message that did not come again was taken by another worker */
  const requeued = new Map<string, number>()
  const countLeft = (): number => {
    for (const [id, at] of requeued) if (performance.now() - at > 2 * leaveForMs + lockMs) requeued.delete(id)
    return requeued.size
  }
  const leave = async (job: ClaimedJob): Promise<void> => {
    if (countLeft() === 0) log.warn({ queue: name }, newerSentence('messages'))
    requeued.set(job.id ?? '', performance.now())
    await job.moveToDelayed(Date.now() + leaveForMs, token)
  }
  /** @returns the next readable message; undefined if the queue has none now */
  const next = async (client: BullmqWorker, block: boolean): Promise<ClaimedJob | undefined> => {
    while (!signal.aborted) {
      const pending = client.getNextJob(token, { block })
      const job = await withTimeout(pending, nextLimitMs, undefined, () => new Unanswered())
      if (job === undefined || formatOf(job.data) <= format) return job
      await leave(job)
    }
    return undefined
  }

  const gatherAndHandle = async (client: BullmqWorker, first: ClaimedJob): Promise<void> => {
    const until = performance.now() + gathering.gatherMs
    const jobs = [first]
    const endController = new AbortController()
    const extending = extend(jobs, endController.signal)
    try {
      while (jobs.length < gathering.max) {
        const another = await next(client, false)
        const rest = until - performance.now()
        if (another !== undefined) jobs.push(another)
        else if (rest > 0 && !signal.aborted) await pause(rest, signal)
        else break
      }
      if (await handle(jobs.map(({ name: kind, data }) => ({ name: kind, content: data }))))
        await Promise.all(jobs.map((job) => job.moveToCompleted(undefined, token, false)))
    } finally {
      endController.abort()
      await extending
    }
  }

  let running: Promise<void> = Promise.resolve()
  let inHand: Promise<void> | undefined
  const run = async (client: BullmqWorker): Promise<void> => {
    while (!signal.aborted) {
      try {
        const first = await next(client, true)
        if (first === undefined) {
          await pause(restMs, signal)
          continue
        }
        inHand = gatherAndHandle(client, first)
        await inHand
        worker.reportSuccess()
      } catch (error) {
        if (signal.aborted) return
        worker.reportFailure(error)
        // a message that may still arrive is delivered again after its lock expires
        if (error instanceof Unanswered) return worker.renew()
        await pause(retryMs, signal)
      } finally {
        inHand = undefined
      }
    }
  }
  const drain = async (client: BullmqWorker): Promise<void> => {
    if (inHand !== undefined) await withTimeout(inHand, drainTimeoutMs, undefined, () => undefined).catch(() => undefined)
    // close does not end a wait for the next message
    await withTimeout(client.backend.disconnectBlocking(), closeLimitMs, undefined, () => undefined).catch(() => undefined)
    await running
    await client.close()
  }
  return {
    name: `messages ${name}`,
    get newer() {
      return countLeft()
    },
    start: (starting) =>
      worker.start(starting, async (client) => {
        await client.startStalledCheckTimer()
        running = run(client)
      }),
    stop: () => {
      stopping.abort()
      return worker.stop(drain, drainTimeoutMs + 2 * closeLimitMs)
    },
  }
}
