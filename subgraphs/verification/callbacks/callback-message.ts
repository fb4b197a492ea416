import { createHmac } from 'node:crypto'
import { rfc3339 } from '../../../foundation/clock.ts'
import type { JobRow } from '../tables.ts'
import { CallbackType } from '../vocabulary.ts'

/** Id of all attempts for one completion, by which a receiver detects repetitions. @param delivery - 1; 2 after a reviewer's decision */
export const callbackId = (jobId: string, delivery: number): string => (delivery === 1 ? `msg_${jobId}` : `msg_${jobId}_${delivery}`)

/** Returns the job of a callback id; undefined for any other text. */
export const jobOfCallback = (id: string): string | undefined => /^msg_([0-9a-f-]{36})(_\d{1,9})?$/.exec(id)?.[1]

export const callbackType = ({ status }: Pick<JobRow, 'status'>): CallbackType =>
  status === 'error' ? CallbackType.FAILED : CallbackType.COMPLETED

/** Returns the body: it reports that a result exists, not its content, with the same bytes for every attempt. */
export function callbackBody(job: JobRow): string {
  const completedAt = job.completedAt && rfc3339(job.completedAt)
  const data = { job_id: job.id, batch_id: job.batchId, status: job.status, outcome: job.outcome, completed_at: completedAt }
  return JSON.stringify({ type: callbackType(job), timestamp: completedAt, data })
}

/**
 * Returns the headers of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 of `id.timestamp.body` with each secret.
 * @param secrets - two during a rotation  @param now - milliseconds since 1970
 */
export function signedHeaders(id: string, body: string, secrets: readonly Uint8Array[], now: number): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
