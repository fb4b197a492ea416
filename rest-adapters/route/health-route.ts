import { z } from 'zod'
import type { ComponentName } from '../../foundation/process/build-info.ts'
import { type OperationRoute, operationRoute } from './operation-route.ts'
import { type ReadinessRoute, readinessRoute } from './readiness-route.ts'
import { type FixedRoute, fixedRoute } from './route.ts'
import { documentedValue } from './value-schemas.ts'

const status = documentedValue(['ok', 'degraded', 'down'], 'degraded')

const Check = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  engine: z.string().optional().meta({ description: 'Product that implements the service' }),
  latency_ms: z.number().optional().meta({ description: 'Response time in milliseconds' }),
  error: z.string().optional().meta({ description: 'Reason why the status is not ok' }),
  drift: z
    .int()
    .optional()
    .meta({ description: 'search_index: number of expressions that differed from the analytics database in the most recent comparison' }),
})

const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    version: z.string().optional(),
    commit: z.string().optional().meta({ description: 'Source revision of the build' }),
    schema_level: z.int().optional().meta({ description: 'Number of the newest database migration that the build knows' }),
    uptime_s: z.int().optional().meta({ description: 'Seconds since the start of the responding process' }),
    checks: z.record(z.string(), Check).meta({ description: 'The services that the component depends on, by name' }),
  })
  .meta({ id: 'Health' })

const healthData = z
  .object({
    health: z.object({
      status,
      version: z.string(),
      commit: z.string(),
      schema_level: z.int(),
      uptime_s: z.int(),
      checks: z.array(
        z.object({
          name: z.string(),
          status,
          engine: z.string(),
          latency_ms: z.number(),
          error: z.string().nullable(),
          drift: z.int().nullable(),
        }),
      ),
    }),
  })
  .transform(({ health: { checks, ...health } }) => ({
    ...health,
    checks: Object.fromEntries(
      checks.map(({ name, error, drift, ...check }) => [
        name,
        { ...check, ...(error === null ? {} : { error }), ...(drift === null ? {} : { drift }) },
      ]),
    ),
  }))

/** 503 only if an essential service is down. */
const among = [200, 503]
const of = (answer: { readonly status: string }): number => (answer.status === 'down' ? 503 : 200)

/**
 * Routes `/health` (documented), `/health/live` and `/health/ready` (extensions) of a component. A subgraph that does not respond is reported as
 * `{status:"down", checks:{subgraph:{status:"down"}}}`.
 */
export function healthRoutes(component: ComponentName): readonly [OperationRoute, FixedRoute, ReadinessRoute] {
  return [
    operationRoute({
      method: 'GET',
      path: '/health',
      summary: 'Returns the health of the component and of the services it depends on',
      operation: `query RestHealth {
        health: ${component}Health { status version commit schema_level: schemaLevel uptime_s: uptimeSeconds checks { name status engine latency_ms: latencyMs error drift } }
      }`,
      from: healthData,
      answer: Health,
      status: { among, of },
      whenFailed: (): z.output<typeof Health> => ({ status: 'down', checks: { subgraph: { status: 'down' } } }),
    }),
    fixedRoute({
      path: '/health/live',
      summary: 'Reports that the process responds',
      extension: true,
      isPublic: false,
      mediaType: 'application/json',
      content: '{"status":"ok"}',
    }),
    readinessRoute(),
  ]
}
