import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Whether this listener accepts requests, independent of engines and of unavailable subgraphs. */
export interface ReadinessRoute extends Endpoint {
  readonly kind: 'readiness'
}

export const Readiness = z
  .object({
    status: z.enum(['ok', 'down']),
    error: z
      .string()
      .optional()
      .meta({ description: 'Why this process must not get requests: a subgraph is older, or refuses its tokens' }),
  })
  .meta({ id: 'Readiness' })

/**
 * `/health/ready` of every component. An unavailable shared engine does not affect it: all processes would leave the balancer at once, including
 * requests that do not need it.
 */
export function readinessRoute(): ReadinessRoute {
  return {
    kind: 'readiness',
    method: 'GET',
    path: '/health/ready',
    caller: 'anyone',
    summary:
      'Reports whether this process accepts requests; it stops accepting them at the first SIGTERM, and accepts none while a subgraph is older or refuses its tokens',
    extension: true,
  }
}
