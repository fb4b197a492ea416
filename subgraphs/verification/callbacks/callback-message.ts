import { createHmac } from 'node:crypto'
import { rfc3339 } from '../../../foundation/clock.ts'
import type { JobRow } from '../tables.ts'
import { CallbackType } from '../vocabulary.ts'

/** The same for every try of one completion, so that a receiver knows a repeated one. @param delivery - 1; 2 once a person has decided */
export const callbackId = (jobId: string, delivery: number): string => (delivery === 1 ? `msg_${jobId}` : `msg_${jobId}_${delivery}`)

/** The job of such an id; undefined for anything else */
export const jobOfCallback = (id: string): string | undefined => /^msg_([0-9a-f-]{36})(_\d{1,9})?$/.exec(id)?.[1]

export const callbackType = ({ status }: Pick<JobRow, 'status'>): CallbackType =>
  status === 'error' ? CallbackType.FAILED : CallbackType.COMPLETED

/** Thin on purpose: it says that there is a result, not what is in it. The same bytes at every try. */
export function callbackBody(job: JobRow): string {
  const completedAt = job.completedAt && rfc3339(job.completedAt)
  const data = { job_id: job.id, batch_id: job.batchId, status: job.status, outcome: job.outcome, completed_at: completedAt }
  return JSON.stringify({ type: callbackType(job), timestamp: completedAt, data })
}

/**
 * The headers of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 of `id.timestamp.body` under each secret.
 * @param secrets - two while one replaces the other   @param now - milliseconds since 1970
 */
export function signedHeaders(id: string, body: string, secrets: readonly Uint8Array[], now: number): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
