import { z } from 'zod'
import { type OperationRoute, one } from '../route/operation-route.ts'

const QueueMetrics = z
  .object({
    depth: z.int().meta({ description: 'jobs that wait for their turn' }),
    processing: z.int().meta({ description: 'jobs being verified' }),
    ready: z.int().meta({ description: 'results that nobody has acknowledged yet' }),
    workers: z.int().meta({ description: 'worker processes with a sign of life in the last 15 s' }),
  })
  .meta({ id: 'QueueFigures' })

/** `GET /figures`, for the page: numbers that anyone may see. */
export function queueMetricsRoute(): OperationRoute {
  return one({
    method: 'GET',
    path: '/figures',
    summary: 'Figures of the queue',
    extension: true,
    operation: 'query RestFigures { queue: verificationQueue { depth processing ready workers: workersActive } }',
    from: z.object({ queue: QueueMetrics }).transform(({ queue }) => queue),
    answer: QueueMetrics,
  })
}
