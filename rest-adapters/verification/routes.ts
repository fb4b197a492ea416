import { z } from 'zod'
import { fewValues } from '../request/request-body.ts'
import { healthRoutes } from '../route/health-route.ts'
import { type OperationRoute, operationRoute } from '../route/operation-route.ts'
import type { Route } from '../route/route.ts'
import { documentedValue } from '../route/value-schemas.ts'
import { jobResultData, jobResultFields } from './job-result.ts'
import {
  AckRequest,
  imageMembers,
  keyPlace,
  maxAcknowledged,
  resultsQuery,
  SubmitHeader,
  SubmitJobRequest,
  submissionOf,
  submitBatchRequest,
} from './requests.ts'
import {
  AckResponse,
  JobStatusResponse,
  PollResultsResponse,
  QueueMetrics,
  SubmitBatchResponse,
  SubmitJobResponse,
  Version,
} from './responses.ts'

/** maximum of values per job: it has 16 members, and unknown ones are ignored */
const valuesPerJob = 50

/** Returns the id of a node. */
const id = z.object({ id: z.string() }).transform((node) => node.id)

export interface VerificationLimits {
  readonly maxBatchJobs: number
  readonly bodyBytes: number
  readonly batchBodyBytes: number
}

/** Returns the documented operations of component A in the documented order, without its page. */
export function verificationRoutes(limits: VerificationLimits): readonly Route[] {
  return [
    ...healthRoutes('verification'),
    versionRoute(),
    submitRoute(limits),
    submitBatchRoute(limits),
    resultsRoute(),
    acknowledgeRoute(limits),
    jobRoute(),
  ]
}

const versionRoute = (): OperationRoute =>
  operationRoute({
    method: 'GET',
    path: '/version',
    summary: 'Returns the version of the service and of its models',
    isPublic: true,
    operation: `query RestVersion { version: verificationVersion { name version api_version: apiVersion commit schema_level: schemaLevel models { name version } } }`,
    from: z
      .object({
        version: z.object({
          name: z.string(),
          version: z.string(),
          api_version: z.string(),
          commit: z.string(),
          schema_level: z.int(),
          models: z.array(z.object({ name: z.string(), version: z.string() })),
        }),
      })
      .transform(({ version: { models, ...version } }) => ({
        ...version,
        models: Object.fromEntries(models.map((model) => [model.name, model.version])),
      })),
    answer: Version,
  })

const submitRoute = (limits: VerificationLimits): OperationRoute =>
  operationRoute({
    method: 'POST',
    path: '/jobs/submit',
    summary: 'Submits one verification, which runs when its turn in the queue comes',
    caller: 'service',
    header: SubmitHeader,
    places: keyPlace,
    body: SubmitJobRequest,
    bodyBytes: limits.bodyBytes,
    images: imageMembers,
    operation: `mutation RestSubmit($input: SubmitVerificationInput!) {
      submitVerification(input: $input) {
        job { id } queue_position: queuePosition estimated_wait_seconds: estimatedWaitSeconds
      }
    }`,
    variables: ({ header, body }) => ({ input: { ...submissionOf(body), idempotencyKey: header['idempotency-key'] } }),
    from: z
      .object({
        submitVerification: z.object({ job: z.object({ id: z.string() }), queue_position: z.int(), estimated_wait_seconds: z.int() }),
      })
      .transform(({ submitVerification: { job, ...place } }) => ({ job_id: job.id, status: 'queued' as const, ...place })),
    answer: SubmitJobResponse,
    status: 202,
  })

const submitBatchRoute = (limits: VerificationLimits): OperationRoute =>
  operationRoute({
    method: 'POST',
    path: '/jobs/submit-batch',
    summary: 'Submits several verifications, all or none',
    caller: 'service',
    header: SubmitHeader,
    places: keyPlace,
    body: submitBatchRequest(limits.maxBatchJobs),
    bodyBytes: limits.batchBodyBytes,
    bodyValues: fewValues + valuesPerJob * limits.maxBatchJobs,
    images: imageMembers,
    operation: `mutation RestSubmitBatch($input: SubmitVerificationBatchInput!) {
      batch: submitVerificationBatch(input: $input) {
        batch_id: batch { id } job_ids: jobs { id } total queued queue_depth: queueDepth
      }
    }`,
    variables: ({ header, body }) => ({ input: { jobs: body.jobs.map(submissionOf), idempotencyKey: header['idempotency-key'] } }),
    from: z.object({ batch: SubmitBatchResponse.extend({ batch_id: id, job_ids: z.array(id) }) }).transform(({ batch }) => batch),
    answer: SubmitBatchResponse,
    status: 202,
  })

const resultsRoute = (): OperationRoute =>
  operationRoute({
    method: 'GET',
    path: '/jobs/results',
    summary: 'Returns finished results, oldest first; they are returned until they are acknowledged',
    caller: 'service',
    query: resultsQuery,
    operation: `query RestResults($first: Int!) {
      ready: verificationResults(first: $first) { totalCount nodes { ${jobResultFields} } }
      queue: verificationQueue { depth workersActive }
    }`,
    variables: ({ query }) => ({ first: query.limit }),
    from: z
      .object({
        ready: z.object({ totalCount: z.int(), nodes: z.array(jobResultData) }),
        queue: z.object({ depth: z.int(), workersActive: z.int() }),
      })
      .transform(({ ready: { totalCount, nodes }, queue }) => ({
        results: nodes,
        total_ready: totalCount,
        returned: nodes.length,
        queue_depth: queue.depth,
        workers_active: queue.workersActive,
      })),
    answer: PollResultsResponse,
  })

const acknowledgeRoute = (limits: VerificationLimits): OperationRoute =>
  operationRoute({
    method: 'POST',
    path: '/jobs/ack',
    summary: 'Acknowledges results that the caller has stored; the service erases them',
    caller: 'service',
    body: AckRequest,
    bodyBytes: limits.bodyBytes,
    bodyValues: fewValues + maxAcknowledged,
    operation: `mutation RestAcknowledge($input: AcknowledgeVerificationResultsInput!) {
      acknowledged: acknowledgeVerificationResults(input: $input) { acked: acknowledged not_found: notFound }
    }`,
    variables: ({ body }) => ({ input: { jobIds: body.job_ids } }),
    from: z.object({ acknowledged: AckResponse }).transform(({ acknowledged }) => acknowledged),
    answer: AckResponse,
  })

const jobRoute = (): OperationRoute =>
  operationRoute({
    method: 'GET',
    path: '/jobs/:job_id',
    summary: 'Returns the status of one job',
    caller: 'service',
    params: z.object({ job_id: z.string().meta({ description: 'Id of the job' }) }),
    operation: `query RestJob($id: ID!) {
      job: verificationJob(id: $id) {
        job_id: id status citizen { code } queued_at: queuedAt started_at: startedAt worker_id: workerId
      }
    }`,
    variables: ({ params }) => ({ id: params.job_id }),
    from: z
      .object({
        job: z
          .object({
            job_id: z.string(),
            status: documentedValue(JobStatusResponse.shape.status.options, 'processing'),
            citizen: z.object({ code: z.string() }),
            queued_at: z.string().nullable(),
            started_at: z.string().nullable(),
            worker_id: z.string().nullable(),
          })
          .nullable(),
      })
      .transform(({ job }) => {
        if (job === null) return null
        const { job_id, status, citizen, ...times } = job
        return { job_id, status, citizen_code: citizen.code, ...times }
      }),
    answer: JobStatusResponse,
    absent: 'Job not found',
  })

/** Returns the route `GET /queue` for the page; its numbers are public. */
export function queueMetricsRoute(): OperationRoute {
  return operationRoute({
    method: 'GET',
    path: '/queue',
    summary: 'Returns metrics of the queue',
    extension: true,
    operation: 'query RestQueueMetrics { queue: verificationQueue { depth processing ready workers: workersActive } }',
    from: z.object({ queue: QueueMetrics }).transform(({ queue }) => queue),
    answer: QueueMetrics,
  })
}
