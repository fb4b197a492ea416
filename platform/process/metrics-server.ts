import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { ClientSlots } from '../../foundation/concurrency/client-slots.ts'
import { codeOf } from '../../foundation/fault.ts'
import { type ListenerLimits, limitServer, listenerLimits, serverOptions } from '../../foundation/http/listener.ts'
import { listenerUrl } from '../../foundation/http/listener-url.ts'
import { stallMs } from '../../foundation/http/slow-readers.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { BuildInfo } from '../../foundation/process/build-info.ts'
import type { MetricRegistries } from '../../foundation/process/metrics.ts'

export interface MetricsServerOptions {
  readonly host: string
  /** 0: any free port */
  readonly port: number
  /** whether to use any free port if it is taken; this is logged */
  readonly mayMove?: boolean
  readonly log: Pick<Log, 'warn'>
  /** label of the process in graphs */
  readonly roles: string
  readonly build: BuildInfo
  readonly ready: () => boolean
  /** returns why the process must not get requests, for /health/ready (default: nothing) */
  readonly problem?: () => string | undefined
  /** component metrics, in addition to those of the process */
  readonly registries?: MetricRegistries
  /** limits that differ from the defaults */
  readonly listening?: Partial<ListenerLimits>
}

/** Separate limit, so that metrics and health respond when clients use all connections. */
const maxConnections = 100

/** Serves Prometheus metrics at /metrics, and /health/live and /health/ready for orchestrators. */
export function createMetricsServer({
  host,
  port,
  mayMove = false,
  log,
  roles,
  build,
  ready,
  problem = () => undefined,
  registries,
  listening: limits = {},
}: MetricsServerOptions): Part & { readonly url: string } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'civigraph_' })
  new Gauge({
    name: 'civigraph_process_info',
    help: 'Always 1, with the roles and the build of the process',
    labelNames: ['roles', 'version', 'commit', 'schema_level'] as const,
    registers: [registry],
  }).set({ roles, version: build.version, commit: build.commit, schema_level: build.schemaLevel }, 1)
  const all = { ...listenerLimits, connections: new ClientSlots({ total: maxConnections }), ...limits }
  const server = createServer(serverOptions(all), async (request, response) => {
    response.setTimeout(stallMs)
    const answer = (status: number, type: string, body: string): void => void response.writeHead(status, { 'content-type': type }).end(body)
    const state = (ok: boolean, error?: string): void =>
      answer(ok ? 200 : 503, 'application/json', JSON.stringify({ status: ok ? 'ok' : 'down', ...(error !== undefined && { error }) }))
    if (request.url === '/metrics')
      return answer(200, registry.contentType, await Registry.merge([registry, ...(registries?.all() ?? [])]).metrics())
    if (request.url === '/health/live') return state(true)
    if (request.url === '/health/ready') return state(ready() && problem() === undefined, problem())
    return answer(404, 'application/json', JSON.stringify({ detail: 'Not Found' }))
  })
  limitServer(server, all)
  return {
    name: 'metrics',
    get url() {
      return listenerUrl(server, host)
    },
    async start() {
      try {
        await listenOn(server, port, host)
      } catch (error) {
        if (!mayMove || codeOf(error) !== 'EADDRINUSE') throw error
        await listenOn(server, 0, host)
        log.warn({ port, url: listenerUrl(server, host) }, 'the metrics port is taken, using another one; set METRICS_PORT')
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listenOn(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
