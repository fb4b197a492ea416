import { openReceiver, type Receiver } from '../../support/clients/callback-receiver.ts'
import { jobOf } from '../../support/samples/people.ts'
import { query } from '../engines/postgres.ts'
import type { Access } from '../platform.ts'
import type { Answer, Discrepancies, Kind, TrackedRequest } from './kind.ts'
import { send, textOf } from './send.ts'

/** One in this number is a genuine person, whose images a worker analyses for a second; the others end at once. */
const genuineEvery = 12

interface CountedKey extends Record<string, unknown> {
  readonly key: string
  readonly count: number
}

/** Verification jobs, each with an Idempotency-Key and a callback. */
export class Jobs implements Kind {
  readonly name = 'job'
  readonly everyMs = 1800
  readonly atOnce = 6
  readonly #access: Access
  readonly #database: () => string
  #receiver: Receiver | undefined
  #genuine: Readonly<Record<string, unknown>> = {}

  constructor(access: Access, database: () => string) {
    this.#access = access
    this.#database = database
  }

  async prepare(): Promise<void> {
    this.#receiver ??= await openReceiver()
    this.#genuine = await jobOf(5)
  }

  async attempt(key: string): Promise<Answer> {
    const { rest, apiKey } = this.#access
    const cheap = Number(key.split('-').at(-1)) % genuineEvery !== 0
    const json = { ...this.#genuine, ...(cheap ? { selfie_b64: '?' } : {}), citizen_code: key, callback_url: this.#receiver?.url }
    const answer = await send(`${rest.verification}/jobs/submit`, {
      headers: { 'X-Service-API-Key': apiKey, 'Idempotency-Key': key },
      json,
    })
    return { ...answer, id: textOf(answer.body, 'job_id') ?? '' }
  }

  async find(acknowledged: readonly TrackedRequest[], tried: readonly TrackedRequest[]): Promise<Discrepancies> {
    const { rest, apiKey } = this.#access
    const lost: string[] = []
    for (const { key, id = '' } of acknowledged) {
      const { status, body } = await send(`${rest.verification}/jobs/${id}`, { headers: { 'X-Service-API-Key': apiKey } })
      const state = textOf(body, 'status')
      if (status !== 200 || (state !== 'completed' && state !== 'error')) lost.push(`job ${key} (${state ?? status})`)
      else if (!this.#hasCallback(id)) lost.push(`callback of job ${key}`)
    }
    const keys = tried.map(({ key }) => key)
    const rows = await query<CountedKey>(
      this.#database(),
      'select citizen_code as key, count(*)::int as count from verification_job where citizen_code = any($1) group by 1',
      [keys],
    )
    const results = await query<CountedKey>(
      this.#database(),
      `select job.citizen_code as key, count(*)::int as count from event join verification_job job on job.id = event.id
       where event.topic = 'verification' and job.citizen_code = any($1) group by 1, event.id`,
      [keys],
    )
    const more = (subject: string, counted: readonly CountedKey[]) =>
      counted.filter(({ count }) => count > 1).map(({ key, count }) => `${subject} ${key} (${count})`)
    const doubled = [...more('job', rows), ...more('result of job', results), ...this.#duplicateCallbacks()]
    return { lost, doubled }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver?.[Symbol.asyncDispose]()
  }

  #hasCallback(id: string): boolean {
    return this.#receiver?.received.some(({ headers }) => headers['webhook-id'] === `msg_${id}`) ?? false
  }

  /** A callback may be repeated under its id; a job must not have two ids. */
  #duplicateCallbacks(): readonly string[] {
    const ids = new Map<string, Set<string>>()
    for (const { body, headers } of this.#receiver?.received ?? []) {
      const job: string = JSON.parse(body).data.job_id
      ids.set(job, (ids.get(job) ?? new Set()).add(headers['webhook-id'] ?? ''))
    }
    return [...ids].filter(([, webhookIds]) => webhookIds.size > 1).map(([job]) => `callback of job ${job}`)
  }
}
