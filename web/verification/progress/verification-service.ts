import { createGraphqlClient, NoAnswerError, NotFoundError, RateLimitedError, UnavailableError } from '@civigraph/client'
import { VerificationJobDocument, type VerificationJobQuery } from '@civigraph/client/documents'
import { answerOf, type VerificationSchemas, verificationClient } from '@civigraph/client/rest'
import { graphUrl } from '../../shared/graph/graph-client.ts'
import { type LiveResults, liveResults } from './live-results.ts'

export type Submission = VerificationSchemas['SubmitJobRequest']
export type AcceptedJob = VerificationSchemas['SubmitJobResponse']
export type JobStatus = VerificationSchemas['JobStatusResponse']
export type JobResult = VerificationSchemas['JobResult']
export type VerificationJob = NonNullable<VerificationJobQuery['verificationJob']>

/** A result from GraphQL, with its REST document. */
export interface Result {
  readonly job: VerificationJob
  /** undefined when a thousand older results are waiting for the key */
  readonly document: JobResult | undefined
}

/** The service with the caller's key: submissions and results over REST, events over GraphQL. */
export interface VerificationService {
  /**
   * Submits a job.
   * @param idempotencyKey - a repeated key creates no second job
   * @throws {CivigraphError}
   */
  submit(job: Submission, idempotencyKey: string): Promise<AcceptedJob>
  statusOf(jobId: string): Promise<JobStatus>
  /** @throws {NotFoundError} when it was acknowledged and erased */
  resultOf(jobId: string): Promise<Result>
  acknowledge(jobId: string): Promise<void>
  listen(): LiveResults
}

const patienceMs = 60_000
/** maximum page size of the service */
const maxResults = 1000

export function verificationService(key: string): VerificationService {
  const headers = { 'X-Service-API-Key': key }
  const rest = verificationClient({ baseUrl: location.origin, headers, timeoutMs: patienceMs })
  const graph = createGraphqlClient({ url: graphUrl(), headers, timeoutMs: patienceMs })
  return {
    submit: (body, idempotencyKey) =>
      answerOf(rest.POST('/jobs/submit', { body, params: { header: { 'Idempotency-Key': idempotencyKey } } })),
    statusOf: (job_id) => answerOf(rest.GET('/jobs/{job_id}', { params: { path: { job_id } } })),
    async resultOf(jobId) {
      const [{ verificationJob: job }, { results }] = await Promise.all([
        graph.request(VerificationJobDocument, { id: jobId }),
        answerOf<VerificationSchemas['PollResultsResponse']>(rest.GET('/jobs/results', { params: { query: { limit: maxResults } } })),
      ])
      if (job?.result == null) throw new NotFoundError('The result was deleted')
      return { job, document: results.find(({ job_id }) => job_id === jobId) }
    },
    async acknowledge(jobId) {
      await answerOf(rest.POST('/jobs/ack', { body: { job_ids: [jobId] } }))
    },
    listen: () =>
      liveResults((input, init) => fetch(input, { ...init, headers: [...new Headers(init?.headers), ...Object.entries(headers)] })),
  }
}

/** Returns whether a retry may succeed: no response, or a temporary failure. */
export const isTransient = (error: unknown): boolean =>
  error instanceof NoAnswerError || error instanceof UnavailableError || error instanceof RateLimitedError
