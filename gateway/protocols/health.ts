import type { FastifyInstance, FastifyReply } from 'fastify'
import { isObjectType } from 'graphql'
import { z } from 'zod'
import { messageOf, retryAfterSeconds } from '../../foundation/fault.ts'
import { requestContext } from '../../foundation/http/request-context.ts'
import type { Log } from '../../foundation/log.ts'
import { anonymous } from '../../foundation/principal.ts'
import { readBuildInfo } from '../../foundation/process/build-info.ts'
import type { Executor } from '../executor/executor.ts'
import type { SubgraphSource } from '../sources/subgraph-source.ts'

/** The documented response of /health. */
export interface Health {
  readonly status: 'ok' | 'degraded' | 'down'
  readonly version: string
  readonly commit?: string
  readonly schema_level?: number
  readonly uptime_s: number
  readonly checks: Readonly<
    Record<string, { readonly status: string; readonly engine: string; readonly latency_ms: number; readonly error?: string }>
  >
}

const Answer = z.record(z.string(), z.object({ status: z.string() }))
const timeoutMs = 1500

/** Returns the health of the gateway: queries all `<component>Health` fields at once, status as in `gatewayStatus`. */
export function gatewayHealth(executor: Executor, version: string, log: Log): () => Promise<Health> {
  const fields = Object.values(executor.schema.getQueryType()?.getFields() ?? {}).filter(
    ({ name, type }) =>
      name.endsWith('Health') && String(type).startsWith('ComponentHealth') && isObjectType(executor.schema.getType('ComponentHealth')),
  )
  const probes = fields.map(({ name }) => ({
    component: name.replace(/Health$/, ''),
    field: name,
    operation: executor.prepare(`{ ${name} { status } }`),
  }))

  const ask = async ({ component, field, operation }: (typeof probes)[number]): Promise<Check> => {
    const from = performance.now()
    using context = probeContext(log)
    const { data, errors } = await executor.execute(operation, {}, context)
    const answer = Answer.safeParse(data)
    const status = answer.success ? (answer.data[field]?.status.toLowerCase() ?? 'down') : 'down'
    return [component, { status, engine: 'subgraph', latency_ms: msSince(from), ...reasonOf(errors) }]
  }

  const { commit, schemaLevel } = readBuildInfo()
  return async () => ({ ...summary(version, await Promise.all(probes.map(ask))), commit, schema_level: schemaLevel })
}

/** Returns the context of a probe, which has a time limit and no caller. */
const probeContext = (log: Log) =>
  requestContext({ principal: anonymous, requestId: 'health', log, timeoutMs, disconnected: new AbortController().signal })

/** Serves GET /health, /health/live and /health/ready; 503 with Retry-After while it is down or not ready. */
export function healthRoutes(
  server: FastifyInstance,
  health: () => Promise<Health>,
  isReady: () => boolean,
  readinessProblem?: () => string | undefined,
): void {
  server.get('/health', async (_, reply) => {
    const answer = await health()
    return answered(reply, answer.status !== 'down').send(answer)
  })
  readinessRoutes(server, isReady, readinessProblem)
}

/** Serves GET /health/live and /health/ready; 503 with Retry-After while it is not ready. */
export function readinessRoutes(
  server: FastifyInstance,
  isReady: () => boolean,
  readinessProblem: () => string | undefined = () => undefined,
): void {
  server.get('/health/live', async () => ({ status: 'ok' }))
  server.get('/health/ready', async (_, reply) => {
    const error = readinessProblem()
    const ready = isReady() && error === undefined
    return answered(reply, ready).send({ status: ready ? 'ok' : 'down', ...(error !== undefined && { error }) })
  })
}

const answered = (reply: FastifyReply, isWell: boolean): FastifyReply =>
  isWell ? reply.code(200) : reply.code(503).header('retry-after', retryAfterSeconds(undefined))

/**
 * Returns the health of a gateway over a supergraph without health fields: queries the name of each subgraph's query type. @param sources - current
 * sources
 * @param problem - why a new supergraph is not in use
 */
export function sourceHealth(
  sources: () => Readonly<Record<string, SubgraphSource>>,
  version: string,
  log: Log,
  problem: () => string | undefined = () => undefined,
): () => Promise<Health> {
  const ask = async ([name, source]: [string, SubgraphSource]): Promise<Check> => {
    const from = performance.now()
    using context = probeContext(log)
    const { errors } = await source.fetch({ query: '{ __typename }', operationName: undefined, variables: {}, context })
    return [name, { status: errors === undefined ? 'ok' : 'down', engine: 'subgraph', latency_ms: msSince(from), ...reasonOf(errors) }]
  }
  return async () => {
    const error = problem()
    const health = summary(version, await Promise.all(Object.entries(sources()).map(ask)))
    if (error === undefined) return health
    const { status, checks } = health
    const supergraph = { status: 'degraded', engine: 'supergraph', latency_ms: 0, error }
    return { ...health, status: status === 'ok' ? 'degraded' : status, checks: { ...checks, supergraph } }
  }
}

type Check = [name: string, check: Health['checks'][string]]

function summary(version: string, checks: readonly Check[]): Health {
  const status = gatewayStatus(checks.map(([, check]) => check.status))
  return { status, version, uptime_s: Math.floor(process.uptime()), checks: Object.fromEntries(checks) }
}

/** Returns down if at most one of several components works (of two: none), degraded if any is not healthy. */
export function gatewayStatus(components: readonly string[]): Health['status'] {
  const working = components.filter((status) => status !== 'down').length
  const needed = Math.max(1, Math.min(2, components.length - 1))
  if (working < needed) return 'down'
  return components.every((status) => status === 'ok') ? 'ok' : 'degraded'
}

function msSince(from: number): number {
  return Math.round((performance.now() - from) * 1000) / 1000
}

function reasonOf(errors: readonly unknown[] | undefined): { readonly error?: string } {
  const [error] = errors ?? []
  return error === undefined ? {} : { error: messageOf(error) }
}
