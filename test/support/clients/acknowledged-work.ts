import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Platform } from '../processes/platform.ts'
import { connectTo, receivedEvents, subscribe } from '../rest/realtime.ts'
import { jobOf } from '../samples/people.ts'
import { accountOf, ContentClient } from './content-client.ts'
import { untilTaxonomyLoaded } from './post-expression.ts'
import { VerificationClient } from './verification-client.ts'

const patienceMs = 120_000
const root = 'acknowledged-work'

/** Creates work in every component through a client that repeats refused requests, and checks that all of it is stored. */
export class AcknowledgedWork implements AsyncDisposable {
  readonly #system: Platform
  readonly #jobs = new Map<string, string>()
  readonly #expressions = new Map<string, string>()
  readonly #nodes: string[] = []
  readonly #socket: ReturnType<typeof connectTo>
  readonly #created: { readonly expression: { readonly id: string } }[]

  /** @param system - a platform with all components, without expressions, jobs or content of other tests */
  constructor(system: Platform) {
    this.#system = system
    this.#socket = connectTo(system.rest.exploration)
    this.#created = receivedEvents(this.#socket, 'expression:created')
  }

  async begin(): Promise<void> {
    await untilTaxonomyLoaded(this.#system)
    await subscribe(this.#socket)
    await this.#untilAnswered(() => this.#content().create({ id: root, external_id: root, title: 'Root' }))
  }

  /** Creates one item of each kind. Resolves when all are acknowledged and processed. @param name - different each time */
  async round(name: string): Promise<void> {
    await Promise.all([this.#job(name), this.#expression(name), this.#node(name), this.#login()])
  }

  /** Expects each acknowledged item exactly once. */
  async expectStored(): Promise<void> {
    const { results } = (await this.#verification().results(1000)).body
    expect(results.map(({ citizen_code: code }) => code).sort()).toEqual([...this.#jobs.keys()].sort())
    await expect.poll(() => this.#expressionsCounted()).toBe(this.#expressions.size)
    await expect.poll(() => this.#created.map(({ expression }) => expression.id).sort()).toEqual([...this.#expressions.values()].sort())
    const nodes = (await this.#content().get('/api/v1/export')).body as readonly { readonly external_id: string }[]
    expect(nodes.map((node) => node.external_id).sort()).toEqual([root, ...this.#nodes].sort())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.disconnect()
  }

  #verification = (): VerificationClient => new VerificationClient(this.#system)
  #content = (): ContentClient => new ContentClient(this.#system.rest.content, { 'x-service-api-key': this.#system.apiKey })

  async #job(name: string): Promise<void> {
    const client = this.#verification()
    // an invalid image ends its job at once
    const job = { ...(await jobOf(5, { citizen_code: name })), selfie_b64: '?' }
    const { body } = await this.#untilAnswered(() =>
      client.request<{ job_id: string }>('POST', '/jobs/submit', job, { 'idempotency-key': name }),
    )
    this.#jobs.set(name, body.job_id)
    const results = async () => (await this.#untilAnswered(() => client.results(1000))).body.results
    await expect.poll(async () => (await results()).map(({ job_id: id }) => id), { timeout: patienceMs }).toContain(body.job_id)
  }

  async #expression(name: string): Promise<void> {
    const { body } = await this.#untilAnswered(() =>
      this.#post<{ id: string }>('classification', '/api/v1/expressions', {
        text: `Le bus ${name} est en retard.`,
        source: 'work',
        external_id: name,
      }),
    )
    this.#expressions.set(name, body.id)
    await expect.poll(() => this.#expressionsCounted(), { timeout: patienceMs }).toBeGreaterThanOrEqual(this.#expressions.size)
  }

  async #node(name: string): Promise<void> {
    await this.#untilAnswered(() => this.#content().create({ external_id: name, title: name, parent_id: root }))
    this.#nodes.push(name)
  }

  async #login(): Promise<void> {
    const account = await accountOf(this.#system, 'super_admin')
    await this.#untilAnswered(() => this.#post('administration', '/auth/login', account))
  }

  async #expressionsCounted(): Promise<number | undefined> {
    const answer = await fetch(`${this.#system.rest.exploration}/api/v1/stats`, { signal: AbortSignal.timeout(patienceMs) })
    if (!answer.ok) return undefined
    return ((await answer.json()) as { expressions: { total: number } }).expressions.total
  }

  async #post<Body>(component: 'classification' | 'administration', path: string, body: object) {
    const answer = await fetch(this.#system.rest[component] + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }

  /** Repeats a request after a 503, a 504 or a missing response. */
  async #untilAnswered<Answer extends { readonly status: number; readonly body: unknown }>(send: () => Promise<Answer>): Promise<Answer> {
    for (const until = Date.now() + patienceMs; ; await sleep(250)) {
      const answer = await send().catch(() => undefined)
      if (answer !== undefined && answer.status < 300) return answer
      if (answer !== undefined && ![503, 504].includes(answer.status)) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      if (Date.now() > until) throw new Error(`not accepted within ${patienceMs} ms: ${answer?.status} ${JSON.stringify(answer?.body)}`)
    }
  }
}
