import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Whether this listener takes requests, which neither the graph nor an engine has a say in. */
export interface ReadinessRoute extends Endpoint {
  readonly kind: 'readiness'
}

export const Readiness = z.object({ status: z.enum(['ok', 'down']) }).meta({ id: 'Readiness' })

/**
 * `/health/ready` of every component. An engine that many processes share takes none of them out of a balancer: all would leave together,
 * and what can be answered without it would not be answered either.
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
