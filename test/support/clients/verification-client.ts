import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../processes/platform.ts'

export interface JobResult {
  readonly job_id: string
  readonly citizen_code: string
  readonly status: string
  readonly outcome: string
  readonly completed_at: string
  readonly processing_time_ms: number
  readonly failure_reason: string | null
  readonly cross_validations: { readonly reasons?: readonly string[]; readonly [group: string]: unknown }
  readonly scores: Readonly<Record<string, number>>
}

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** The documented client of component A: submit, poll, acknowledge, over REST. */
export class VerificationClient {
  readonly #base: string
  readonly key: string

  constructor(system: Pick<Platform, 'rest' | 'apiKey'>, key = system.apiKey) {
    this.#base = system.rest.verification
    this.key = key
  }

  async request<Body>(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer<Body>> {
    const response = await fetch(this.#base + path, {
      method,
      headers: { ...headers, 'X-Service-API-Key': this.key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
  }

  submit(job: object) {
    return this.request<{ job_id: string; status: string; queue_position: number; estimated_wait_seconds: number }>(
      'POST',
      '/jobs/submit',
      job,
    )
  }

  submitBatch(jobs: readonly object[]) {
    return this.request<{ batch_id: string; job_ids: string[]; total: number; queued: number; queue_depth: number }>(
      'POST',
      '/jobs/submit-batch',
      { jobs },
    )
  }

  status(id: string) {
    return this.request<{
      job_id: string
      status: string
      citizen_code: string
      queued_at: string
      started_at: string | null
      worker_id: string | null
    }>('GET', `/jobs/${id}`)
  }

  results(limit?: number) {
    return this.request<{ results: JobResult[]; total_ready: number; returned: number; queue_depth: number; workers_active: number }>(
      'GET',
      `/jobs/results${limit === undefined ? '' : `?limit=${limit}`}`,
    )
  }

  acknowledge(ids: readonly string[]) {
    return this.request<{ acked: number; not_found: number }>('POST', '/jobs/ack', { job_ids: ids })
  }

  /**
   * Polls until the results of all these jobs are available. Waits as long as jobs continue to finish, however slow the machine is:
   * fails when none has finished for `silenceMs`.
   */
  async untilFinished(ids: readonly string[], silenceMs = 120_000): Promise<ReadonlyMap<string, JobResult>> {
    let results: ReadonlyMap<string, JobResult> = new Map()
    for (let lastMs = Date.now(); Date.now() < lastMs + silenceMs; await sleep(100)) {
      const { body } = await this.results(1000)
      const now = new Map(body.results.filter((result) => ids.includes(result.job_id)).map((result) => [result.job_id, result]))
      if (now.size === ids.length) return now
      if (now.size > results.size) lastMs = Date.now()
      results = now
    }
    throw new Error(`${ids.length - results.size} of ${ids.length} jobs are not finished, and none has been for ${silenceMs} ms`)
  }
}
