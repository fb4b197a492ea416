import { verificationTopic } from '../../../engines/citizen-data/citizen-outcomes.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { and, asc, eq, inArray, lte, notInArray, sql } from '../../../engines/relational/drizzle.ts'
import { type LeaderWaits, leader } from '../../../engines/relational/leadership/leader.ts'
import { fenced } from '../../../engines/relational/leadership/lease.ts'
import type { Clock } from '../../../foundation/clock.ts'
import { type Part, pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { type CallbackRow, verificationCallback, verificationCallbackAttempt, verificationJob } from '../tables.ts'
import { callbackBody, callbackId, signedHeaders } from './callback-message.ts'
import type { CallbackSender, SendOutcome } from './callback-sender.ts'
import { retryAfterMs, waitAfter } from './retry-schedule.ts'

const maxAtOnce = 32
const maxPerReceiver = 8
/** longer than an attempt may take: after that a delivery of an ended process is repeated */
export const claimSeconds = 60

/** Secrets of a service's callbacks, newest first; without a secret nothing is sent. */
export type CallbackSecretsOf = (service: string, signal: AbortSignal) => Promise<readonly Uint8Array[]>

export interface DeliverCallbacksOptions {
  readonly database: Database
  readonly feed: EventFeed
  readonly clock: Clock
  readonly log: Log
  readonly sender: CallbackSender
  readonly secretsOf: CallbackSecretsOf
  readonly waits?: DeliveryWaits
}

export interface DeliveryWaits extends LeaderWaits {
  /** polling interval for due callbacks, in addition to finished jobs; default 1,000 */
  readonly checkEveryMs?: number
}

/** Delivers due callbacks, in one process of the platform at a time. Delivery is at least once; the id identifies repetitions. */
export function callbackDelivery(options: DeliverCallbacksOptions): Part {
  const { database, log, waits } = options
  return leader({
    name: 'callback delivery',
    database,
    log,
    work: (lease, signal) => new Delivery({ ...options, database: fenced(database, lease) }).run(signal),
    ...waits,
  })
}

/** The period during which this process delivers. */
class Delivery {
  readonly #options: DeliverCallbacksOptions
  readonly #running = new Map<string, { readonly receiver: string; readonly done: Promise<void> }>()
  #woken = new AbortController()

  constructor(options: DeliverCallbacksOptions) {
    this.#options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const listening = this.#listen(signal)
    while (!signal.aborted) {
      this.#woken = new AbortController()
      const wake = AbortSignal.any([signal, this.#woken.signal])
      try {
        await this.#startDue(signal)
      } catch (error) {
        this.#options.log.warn({ err: error }, 'due callbacks could not be read; retrying')
      }
      await pause(this.#options.waits?.checkEveryMs ?? 1000, wake)
    }
    await Promise.all([listening, ...[...this.#running.values()].map(({ done }) => done)])
  }

  /** Wakes up delivery when a job finishes. */
  async #listen(signal: AbortSignal): Promise<void> {
    const { feed, log } = this.#options
    try {
      const from = await feed.position(verificationTopic, signal)
      for await (const _ of feed.follow(verificationTopic, from, signal)) this.#woken.abort()
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'finished jobs cannot be followed; polling for callbacks every second')
    }
  }

  async #startDue(signal: AbortSignal): Promise<void> {
    const free = maxAtOnce - this.#running.size
    if (free <= 0) return
    const { receiver, state, nextAt, jobId } = verificationCallback
    const busy = this.#receivers()
    const saturated = [...busy].filter(([, count]) => count >= maxPerReceiver).map(([name]) => name)
    const due = await this.#options.database.orm
      .select({ jobId, receiver })
      .from(verificationCallback)
      .where(and(eq(state, 'pending'), lte(nextAt, sql`now()`), saturated.length === 0 ? undefined : notInArray(receiver, saturated)))
      .orderBy(asc(nextAt))
      .limit(4 * maxAtOnce)
    const chosen: string[] = []
    for (const row of due) {
      const count = busy.get(row.receiver) ?? 0
      if (chosen.length === free || count >= maxPerReceiver || this.#running.has(row.jobId)) continue
      busy.set(row.receiver, count + 1)
      chosen.push(row.jobId)
    }
    for (const row of await this.#claim(chosen)) {
      const done = this.#deliver(row, signal).finally(() => {
        this.#running.delete(row.jobId)
        this.#woken.abort()
      })
      this.#running.set(row.jobId, { receiver: row.receiver, done })
    }
  }

  #receivers(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { receiver } of this.#running.values()) counts.set(receiver, (counts.get(receiver) ?? 0) + 1)
    return counts
  }

  async #claim(jobIds: readonly string[]): Promise<readonly CallbackRow[]> {
    if (jobIds.length === 0) return []
    const { jobId, state, nextAt, tries, made } = verificationCallback
    return this.#options.database.transaction((tx) =>
      tx
        .update(verificationCallback)
        .set({ tries: sql`${tries} + 1`, made: sql`${made} + 1`, nextAt: sql`now() + make_interval(secs => ${claimSeconds})` })
        .where(and(inArray(jobId, [...jobIds]), eq(state, 'pending'), lte(nextAt, sql`now()`)))
        .returning(),
    )
  }

  async #deliver(row: CallbackRow, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options
    const at = clock.now()
    try {
      const outcome = await this.#send(row, signal)
      // an attempt aborted by our own shutdown does not count; the next leader repeats it
      if (outcome === undefined || signal.aborted) return
      await this.#note(row, outcome, at)
      const noted = outcome.kind === 'answered' ? { status: outcome.status } : { reason: outcome.reason }
      log.info({ jobId: row.jobId, try: row.tries, ...noted }, 'callback attempted')
    } catch (error) {
      log.warn({ err: error, jobId: row.jobId }, 'a callback could not be processed; it will be retried')
    }
  }

  /** @returns undefined when the job was erased */
  async #send({ jobId, owner, delivery }: CallbackRow, signal: AbortSignal): Promise<SendOutcome | undefined> {
    const { database, clock, sender, secretsOf } = this.#options
    const [job] = await database.orm.select().from(verificationJob).where(eq(verificationJob.id, jobId))
    if (job?.callbackUrl == null) return undefined
    const secrets = await secretsOf(owner, signal)
    if (secrets.length === 0)
      return { kind: 'refused', reason: 'no_secret: The service key has no callback secret: rotate the key to create one' }
    const body = callbackBody(job)
    return sender.send(
      { url: job.callbackUrl, body, headers: signedHeaders(callbackId(jobId, delivery), body, secrets, clock.now()) },
      signal,
    )
  }

  async #note(row: CallbackRow, outcome: SendOutcome, at: number): Promise<void> {
    const { database, clock } = this.#options
    const { state, waitMs, reason } = judge(outcome, row.tries, clock.now())
    const { jobId, made, tries } = verificationCallback
    await database.transaction(async (tx) => {
      const noted = await tx
        .update(verificationCallback)
        .set({ state, nextAt: waitMs === undefined ? null : sql`now() + make_interval(secs => ${waitMs / 1000})` })
        // a redelivery requested meanwhile has reset the count and takes precedence
        .where(and(eq(jobId, row.jobId), eq(made, row.made), eq(tries, row.tries)))
        .returning({ jobId })
      if (noted.length === 0) return
      await tx.insert(verificationCallbackAttempt).values({
        jobId: row.jobId,
        number: row.made,
        at: new Date(at),
        durationMs: Math.max(0, Math.round(clock.now() - at)),
        statusCode: outcome.kind === 'answered' ? outcome.status : null,
        reason,
      })
    })
  }
}

interface Judgement {
  readonly state: CallbackRow['state']
  readonly waitMs?: number
  readonly reason: string | null
}

/** Judges an attempt: 2xx delivers, 410 stops, everything else is retried while attempts remain. */
function judge(outcome: SendOutcome, tries: number, now: number): Judgement {
  if (outcome.kind === 'refused') return { state: 'refused', reason: outcome.reason }
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) return { state: 'delivered', reason: null }
  if (outcome.kind === 'answered' && outcome.status === 410)
    return { state: 'stopped', reason: 'gone: The receiver responded with 410 (Gone) and gets no further attempts' }
  const reason = outcome.kind === 'failed' ? outcome.reason : `status_${outcome.status}: The receiver responded with HTTP ${outcome.status}`
  const waitMs = waitAfter(tries, Math.random(), outcome.kind === 'answered' ? retryAfterMs(outcome.retryAfter, now) : undefined)
  return waitMs === undefined ? { state: 'failed', reason } : { state: 'pending', waitMs, reason }
}

/**
 * Returns how long the oldest due callback has been due, in ms; 0 when none is due, and while others are being sent: a slow receiver delays
 * only its own callbacks.
 * @throws {EngineUnavailable}
 */
export async function waitingMs(database: Database): Promise<number> {
  const { nextAt, state } = verificationCallback
  const { rows } = await database.orm.execute<{ age: string | null }>(sql`
    select extract(epoch from now() - min(${nextAt})) * 1000 as age from ${verificationCallback}
    where ${state} = 'pending' and ${nextAt} <= now() and not exists (
      select from ${verificationCallback} as tried where tried.state = 'pending'
        and tried.next_at between now() + ${claimSeconds / 2} * interval '1 second' and now() + ${claimSeconds} * interval '1 second')`)
  return Math.max(0, Number(rows[0]?.age ?? 0))
}
