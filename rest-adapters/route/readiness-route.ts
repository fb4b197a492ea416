import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Whether this listener accepts requests, independent of the graph and of engines. */
export interface ReadinessRoute extends Endpoint {
  readonly kind: 'readiness'
}

export const Readiness = z.object({ status: z.enum(['ok', 'down']) }).meta({ id: 'Readiness' })

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
    summary: 'Reports whether this process accepts requests; it stops accepting them at the first SIGTERM',
    extension: true,
  }
}
