import { setTimeout as sleep } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { z } from 'zod'
import { connectRedis } from '../../../engines/job-queue/bullmq-connection.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { query } from '../engines/postgres.ts'
import type { Access } from '../platform.ts'
import type { Answer, Discrepancies, Kind, TrackedRequest } from './kind.ts'
import type { Logins } from './logins.ts'
import { send } from './send.ts'

const sendLimitMs = 3000
const acceptLimitMs = 5000

const Page = z.object({ items: z.array(z.object({ id: z.string() })), total: z.number() })

/**
 * Delegations, as messages on the broker. The platform acknowledges a message by removing it from the queue; until then the sender repeats it
 * under the same id.
 */
export class Delegations implements Kind {
  readonly name = 'delegation'
  readonly everyMs = 1900
  readonly atOnce = 6
  readonly #access: Access
  readonly #database: () => string
  readonly #group: string
  readonly #logins: Logins
  readonly #redis: ReturnType<typeof connectRedis>
  readonly #queue: Queue

  constructor(access: Access, database: () => string, cell: string, logins: Logins) {
    this.#access = access
    this.#database = database
    this.#group = cell
    this.#logins = logins
    this.#redis = connectRedis({ url: access.redis }, false)
    this.#queue = new Queue('delegations', { connection: this.#redis.connection, prefix: access.redisPrefix })
    this.#queue.on('error', () => undefined)
  }

  prepare = async (): Promise<void> => void (await this.#queue.waitUntilReady())

  /** A marker in the broker: while it exists, a missing message was consumed and not lost with all other data. */
  get #marker(): string {
    return `${this.#group}:marker`
  }

  async attempt(key: string): Promise<Answer> {
    const content = { id: key, delegator: `from-${key}`, delegate: `to-${key}`, group_id: this.#group, starts_at: '2026-01-01T00:00:00Z' }
    const within = <Result>(pending: Promise<Result>): Promise<Result> =>
      withTimeout(pending, sendLimitMs, undefined, () => new Error('the broker does not answer'))
    try {
      const { connection } = this.#redis
      await within(connection.set(this.#marker, key, 'NX'))
      const message = await within(this.#queue.add('delegation.changed', content, { jobId: key }))
      for (const until = Date.now() + acceptLimitMs; Date.now() < until; await sleep(200))
        if ((await within(message.getState())) === 'unknown')
          return (await within(connection.exists(this.#marker))) === 1 ? { status: 200, id: key } : { status: 0, detail: 'broker emptied' }
      return { status: 0, detail: 'not taken' }
    } catch {
      // a failure of the broker, not of the platform
      return { status: 0, detail: 'no broker' }
    }
  }

  async find(acknowledged: readonly TrackedRequest[], tried: readonly TrackedRequest[]): Promise<Discrepancies> {
    const headers = { authorization: `Bearer ${await this.#logins.token()}` }
    const lost: string[] = []
    for (const { key } of acknowledged) {
      const { status, body } = await send(`${this.#access.rest.administration}/delegations?delegator=from-${key}`, { headers })
      const ids = Page.safeParse(body).data?.items.map(({ id }) => id)
      if (ids?.[0] !== key) lost.push(`delegation ${key} (${status})`)
    }
    const page = await send(`${this.#access.rest.administration}/delegations?group=${this.#group}&size=1`, { headers })
    const total = Page.safeParse(page.body).data?.total
    const [rows] = await query<{ count: number }>(this.#database(), 'select count(*)::int as count from delegation where group_id = $1', [
      this.#group,
    ])
    const wrong = total === undefined || total !== rows?.count || total > tried.length
    return { lost, doubled: wrong ? [`delegations of ${this.#group}: ${total} listed, ${rows?.count} stored, ${tried.length} sent`] : [] }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#redis.end()
  }
}
