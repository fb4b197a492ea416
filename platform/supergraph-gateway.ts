import type { AuthorizationOptions } from '../gateway/executor.ts'
import { sourceHealth } from '../gateway/http/health.ts'
import { Intake } from '../gateway/http/read-body.ts'
import { firstGraph } from '../gateway/supergraph/reload/first-graph.ts'
import { RemoteGraphs } from '../gateway/supergraph/reload/remote-graphs.ts'
import { fileOrigin, type SupergraphOrigin, urlOrigin } from '../gateway/supergraph/reload/supergraph-origin.ts'
import { supergraphWatch } from '../gateway/supergraph/reload/supergraph-watch.ts'
import { GatewayTelemetry } from '../gateway/telemetry/gateway-telemetry.ts'
import { memoryKeyValue } from '../subgraphs/engines/key-value/memory-key-value.ts'
import type { BuildInfo } from '../subgraphs/foundation/build-info.ts'
import type { Config } from '../subgraphs/foundation/config/config.ts'
import { compose, type Part } from '../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../subgraphs/foundation/log.ts'
import { MetricRegistries } from '../subgraphs/foundation/metric-registries.ts'
import type { ComposedProcess } from './composition.ts'
import { foreignCallers } from './listeners/foreign-callers.ts'
import { gatewayListener } from './listeners/gateway-listener.ts'
import { policyModule } from './listeners/policy-module.ts'
import { countingGate } from './process/counting-gate.ts'
import { createMetricsServer } from './process/metrics-server.ts'
import type { Ports } from './process/ports.ts'
import { createReadiness } from './process/readiness.ts'
import { reloadSignal } from './process/reload-signal.ts'
import type { Roles } from './process/roles.ts'

/**
 * The gateway over any federation v2 supergraph, read anew whenever its origin offers another one: subgraphs are remote, at the addresses
 * in it or in SUBGRAPH_URLS. They get the headers that PROPAGATE_HEADERS names; callers are known here where an issuer or keys are set, and
 * held to what the supergraph protects. It needs no engine: persisted queries are kept in the memory of this process.
 * @throws {Error} when what is offered is no supergraph, a subgraph of it has no address, or it protects fields and nobody is known here
 */
export async function assembleSupergraphGateway(
  origin: SupergraphOrigin,
  config: Config,
  ports: Ports,
  build: BuildInfo,
  log: Log,
): Promise<ComposedProcess> {
  const { requestTimeoutMs, intakeInflightBytes } = config.limits
  const callers = foreignCallers(config)
  const authorization = callers.areKnown ? await authorizationOf(config) : undefined
  const registries = new MetricRegistries()
  const telemetry = new GatewayTelemetry({ registry: registries.of('gateway'), slowMs: config.slowOperationMs })
  const graphs = new RemoteGraphs({
    urls: config.subgraphUrls,
    requestTimeoutMs,
    overrideLabels: config.overrideLabels,
    telemetry,
    ...(authorization && { authorization }),
  })
  const { sdl, executor } = await firstGraph(origin, graphs)
  const keyValue = memoryKeyValue()
  const gate = countingGate(config.limits, registries.of('load gate'))
  const readiness = createReadiness()
  const gateway = await gatewayListener(
    { config, ports, build, log },
    {
      executor,
      telemetry,
      mayReadPlans: () => config.tellsPlans,
      authentication: callers.authentication,
      keyValue,
      intake: new Intake(intakeInflightBytes),
      gate,
      health: sourceHealth(
        () => graphs.sources,
        build.version,
        log,
        () => watch.problem,
      ),
    },
    [],
  )
  const watch = supergraphWatch({
    origin,
    sdl,
    take: async (offered) => void (await graphs.take(offered, (next) => gateway.part.reload(next))),
    everyMs: config.supergraphPollMs,
    log,
  })
  const metrics = createMetricsServer({ host: config.metrics.host, port: ports.metrics, ready: () => readiness.isReady, registries })
  const connections: Part = { name: 'subgraph connections', start: async () => undefined, stop: () => graphs.stop() }
  const part = compose('gateway', [gate, keyValue, connections, gateway.part, watch, reloadSignal(watch.now), metrics, readiness])
  return {
    part,
    addresses: () => [
      gateway.address(),
      ...graphs.addresses.map(([name, url]): readonly [string, string] => [`subgraph ${name}`, url]),
      ['metrics', `${metrics.url}/metrics`],
    ],
    absences: () => [],
  }
}

async function authorizationOf({ authorization }: Config): Promise<AuthorizationOptions> {
  const { policyModule: module, policyField, reject, refusalsIn } = authorization
  return {
    reject,
    refusalsIn,
    ...(module === undefined ? {} : { policies: await policyModule(module) }),
    ...(policyField === undefined ? {} : { policyField }),
  }
}

/** Where SUPERGRAPH_FILE or SUPERGRAPH_URL says. */
export function originOf({ supergraphFile, supergraphUrl }: Pick<Config, 'supergraphFile' | 'supergraphUrl'>): SupergraphOrigin {
  return supergraphUrl === undefined ? fileOrigin(supergraphFile ?? '') : urlOrigin(supergraphUrl)
}

/** What SUPERGRAPH_FILE and SUPERGRAPH_URL cannot be combined with, a sentence each. */
export function supergraphProblems(
  { supergraphFile: file, supergraphUrl: url }: Pick<Config, 'supergraphFile' | 'supergraphUrl'>,
  roles: Roles,
): readonly string[] {
  const isGatewayAlone = roles.gateway && !roles.all && roles.subgraphs.length + roles.workers.length + roles.rest.length === 0
  return [
    ...(file !== undefined && url !== undefined ? ['both SUPERGRAPH_FILE and SUPERGRAPH_URL are set; keep one'] : []),
    ...((file === undefined && url === undefined) || isGatewayAlone
      ? []
      : ['SUPERGRAPH_FILE and SUPERGRAPH_URL are served by the gateway role alone: npm start -- gateway']),
  ]
}
