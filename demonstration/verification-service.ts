import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'

export interface Result {
  readonly job_id: string
  readonly citizen_code: string
  readonly status: string
  readonly outcome: string
  readonly processing_time_ms: number
  readonly failure_reason: string | null
  readonly cross_validations: { readonly reasons?: readonly string[] }
  readonly scores: Readonly<Record<string, number>>
}

export interface Poll {
  readonly results: readonly Result[]
  readonly total_ready: number
  readonly returned: number
  readonly queue_depth: number
  readonly workers_active: number
}

export interface FinishedEvent {
  readonly position: number
  readonly job: { readonly id: string; readonly outcome: string | null; readonly citizen: { readonly code: string } } | null
}

const subscription = 'subscription Finished { verificationFinished { position job { id outcome citizen { code } } } }'

/** A client of component A: the documented REST operations, and the GraphQL subscription of finished jobs. */
export class VerificationService {
  readonly #url: string
  readonly #graphqlUrl: string
  readonly #apiKey: string

  constructor(url: string, graphqlUrl: string, apiKey: string) {
    this.#url = url
    this.#graphqlUrl = graphqlUrl
    this.#apiKey = apiKey
  }

  submitBatch(
    jobs: readonly object[],
  ): Promise<{ readonly batch_id: string; readonly job_ids: readonly string[]; readonly queued: number }> {
    return this.#request('POST', '/jobs/submit-batch', { jobs })
  }

  results(): Promise<Poll> {
    return this.#request('GET', '/jobs/results?limit=1000')
  }

  acknowledge(jobIds: readonly string[]): Promise<{ readonly acked: number; readonly not_found: number }> {
    return this.#request('POST', '/jobs/ack', { job_ids: jobIds })
  }

  /** Calls `onEvent` for each job that becomes final. @returns a function that unsubscribes, once the subscription is active */
  async follow(onEvent: (event: FinishedEvent) => void): Promise<() => Promise<void>> {
    const client = createClient({
      url: this.#graphqlUrl.replace(/^http/, 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { 'X-Service-API-Key': this.#apiKey },
      lazy: false,
      retryAttempts: 3,
    })
    await new Promise<void>((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error('graphql-ws did not connect within 10 s')), 10_000)
      client.on('connected', () => {
        clearTimeout(timeout)
        resolve()
      })
    })
    const events = client.iterate<{ readonly verificationFinished: FinishedEvent }>({ query: subscription })
    void (async () => {
      for await (const { data } of events) if (data) onEvent(data.verificationFinished)
    })().catch(() => undefined)
    return async () => {
      await events.return?.()
      await client.dispose()
    }
  }

  async #request<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { 'X-Service-API-Key': this.#apiKey, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    if (!response.ok) throw new Error(`${method} ${path} returned HTTP ${response.status}: ${await response.text()}`)
    return (await response.json()) as Body
  }
}
