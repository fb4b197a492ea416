import { z } from 'zod'
import { JobResult } from './job-result.ts'

export const SubmitJobResponse = z
  .object({
    job_id: z.string(),
    status: z.literal('queued').default('queued'),
    queue_position: z.int().default(0),
    estimated_wait_seconds: z.int().default(0),
  })
  .meta({ id: 'SubmitJobResponse' })

export const SubmitBatchResponse = z
  .object({ batch_id: z.string(), job_ids: z.array(z.string()), total: z.int(), queued: z.int(), queue_depth: z.int().default(0) })
  .meta({ id: 'SubmitBatchResponse' })

export const JobStatusResponse = z
  .object({
    job_id: z.string(),
    status: z.enum(['queued', 'processing', 'completed', 'error']),
    citizen_code: z.string(),
    queued_at: z.string().nullable(),
    started_at: z.string().nullable(),
    worker_id: z.string().nullable(),
  })
  .meta({ id: 'JobStatusResponse' })

export const PollResultsResponse = z
  .object({
    results: z.array(JobResult),
    total_ready: z.int(),
    returned: z.int(),
    queue_depth: z.int(),
    workers_active: z.int(),
  })
  .meta({ id: 'PollResultsResponse' })

export const AckResponse = z.object({ acked: z.int(), not_found: z.int() }).meta({ id: 'AckResponse' })

export const Version = z
  .object({
    name: z.string(),
    version: z.string(),
    api_version: z.string(),
    commit: z.string(),
    schema_level: z.int().meta({ description: 'Number of the newest database migration that the build knows' }),
    models: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Version' })

export const QueueMetrics = z
  .object({
    depth: z.int().meta({ description: 'Number of queued jobs' }),
    processing: z.int().meta({ description: 'Number of running jobs' }),
    ready: z.int().meta({ description: 'Number of results that wait for acknowledgement' }),
    workers: z.int().meta({ description: 'Number of worker processes that reported within the last 15 s' }),
  })
  .meta({ id: 'QueueMetrics' })
