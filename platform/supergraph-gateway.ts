import { type AuthorizationOptions, createExecutor, type Executor, type ExecutorOptions } from '../gateway/executor.ts'
import { sourceHealth } from '../gateway/health.ts'
import { Intake } from '../gateway/http/read-body.ts'
import { remoteSource } from '../gateway/sources/remote-source.ts'
import { loadSupergraph } from '../gateway/supergraph.ts'
import { memoryKeyValue } from '../subgraphs/engines/key-value/memory-key-value.ts'
import type { BuildInfo } from '../subgraphs/foundation/build-info.ts'
import type { Config } from '../subgraphs/foundation/config/config.ts'
import { messageOf } from '../subgraphs/foundation/fault.ts'
import { compose } from '../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../subgraphs/foundation/log.ts'
import { MetricRegistries } from '../subgraphs/foundation/metric-registries.ts'
import type { ComposedProcess } from './composition.ts'
import { foreignCallers } from './listeners/foreign-callers.ts'
import { gatewayListener } from './listeners/gateway-listener.ts'
import { policyModule } from './listeners/policy-module.ts'
import { subgraphConnections } from './listeners/subgraph-connections.ts'
import { countingGate } from './process/counting-gate.ts'
import { createMetricsServer } from './process/metrics-server.ts'
import type { Ports } from './process/ports.ts'
import { createReadiness } from './process/readiness.ts'
import type { Roles } from './process/roles.ts'

/**
 * The gateway over any federation v2 supergraph: subgraphs are remote, at the addresses in the file or in SUBGRAPH_URLS. They get the
 * headers that PROPAGATE_HEADERS names; callers are known here where an issuer or keys are set, and held to what the file protects. It
 * needs no engine: persisted queries are kept in the memory of this process.
 * @throws {Error} when the file is no supergraph, a subgraph of it has no address, or it protects fields and nobody is known here
 */
export async function assembleSupergraphGateway(
  file: string,
  config: Config,
  ports: Ports,
  build: BuildInfo,
  log: Log,
): Promise<ComposedProcess> {
  const { sdl, subgraphs } = await loadSupergraph(file)
  const located = subgraphs.map(({ name, url }) => ({ name, url: config.subgraphUrls[name] ?? url }))
  const lost = located.filter(({ url }) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  if (lost.length > 0)
    throw new Error(`SUBGRAPH_URLS must name the subgraphs ${lost.map(({ name }) => name).join(', ')}: ${file} has no http address of them`)
  const sources = Object.fromEntries(located.map(({ name, url }) => [name, remoteSource({ name, url })]))
  const { requestTimeoutMs, intakeInflightBytes } = config.limits
  const callers = foreignCallers(config)
  const authorization = callers.areKnown ? await authorizationOf(config) : undefined
  const executor = executorOver(file, {
    supergraph: sdl,
    sources,
    eventTimeoutMs: requestTimeoutMs,
    ...(authorization && { authorization }),
  })
  const keyValue = memoryKeyValue()
  const registries = new MetricRegistries()
  const gate = countingGate(config.limits, registries.of('load gate'))
  const readiness = createReadiness()
  const gateway = gatewayListener(
    { config, ports, build, log },
    {
      executor,
      authentication: callers.authentication,
      persistedQueries: keyValue,
      intake: new Intake(intakeInflightBytes),
      gate,
      health: sourceHealth(sources, build.version, log),
    },
    [],
  )
  const metrics = createMetricsServer({ host: config.metrics.host, port: ports.metrics, ready: () => readiness.isReady, registries })
  const part = compose('gateway', [gate, keyValue, subgraphConnections(sources), gateway.part, metrics, readiness])
  return {
    part,
    addresses: () => [
      gateway.address(),
      ...located.map(({ name, url }): readonly [string, string] => [`subgraph ${name}`, url]),
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

/** @throws {Error} naming the file and what may be set */
function executorOver(file: string, options: ExecutorOptions): Executor {
  try {
    return createExecutor(options)
  } catch (error) {
    const hint = options.authorization === undefined ? ' (OIDC_ISSUER_URL or VERIFICATION_API_KEYS)' : ' (POLICY_MODULE or POLICY_FIELD)'
    const message = messageOf(error)
    throw new Error(`${file}: ${message}${/nothing here/.test(message) ? hint : ''}`, { cause: error })
  }
}

/** What SUPERGRAPH_FILE cannot be combined with, a sentence each. */
export function supergraphProblems(file: string | undefined, roles: Roles): readonly string[] {
  const isGatewayAlone = roles.gateway && !roles.all && roles.subgraphs.length + roles.workers.length + roles.rest.length === 0
  return file === undefined || isGatewayAlone ? [] : ['SUPERGRAPH_FILE is served by the gateway role alone: npm start -- gateway']
}
