import { z } from 'zod'
import { type OneRoute, one } from '../route/route.ts'

const Figures = z
  .object({
    depth: z.int().meta({ description: 'jobs that wait for their turn' }),
    processing: z.int().meta({ description: 'jobs being verified' }),
    ready: z.int().meta({ description: 'results that nobody has acknowledged yet' }),
    workers: z.int().meta({ description: 'worker processes with a sign of life in the last 15 s' }),
  })
  .meta({ id: 'QueueFigures' })

/** `GET /figures`, for the page: numbers that anyone may see. */
export function figuresRoute(): OneRoute {
  return one({
    method: 'GET',
    path: '/figures',
    summary: 'Figures of the queue',
    extension: true,
    operation: 'query RestFigures { queue: verificationQueue { depth processing ready workers: workersActive } }',
    from: z.object({ queue: Figures }).transform(({ queue }) => queue),
    answer: Figures,
  })
}
