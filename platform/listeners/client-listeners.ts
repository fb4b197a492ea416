import { Intake } from '../../foundation/http/read-body.ts'
import { compose, type Part } from '../../foundation/lifecycle.ts'
import type { Subgraph } from '../../foundation/subgraph/subgraph.ts'
import { GatewayTelemetry } from '../../gateway/pipeline/telemetry/gateway-telemetry.ts'
import { observedExecutor } from '../../gateway/pipeline/telemetry/observed-executor.ts'
import type { SubgraphAgreement } from '../../gateway/sources/subgraph-agreement.ts'
import { bodyThread } from '../../rest-adapters/request/large-body.ts'
import { demonstrationParts } from '../demonstration/demonstration.ts'
import type { Composition, Listener } from '../engines/composition.ts'
import { authenticationOf } from './authentication.ts'
import { federate } from './federation.ts'
import { componentsGateway } from './gateway-listener.ts'
import { restListeners, servesPages } from './rest-listeners.ts'

/** The listeners of clients with their dependencies. */
export interface ClientListeners {
  /** required engines: the database for keys and tokens, the key-value store for persisted operations */
  readonly engines: readonly Part[]
  readonly connections: Part
  readonly listeners: readonly Listener[]
  /** parts that start with the listeners and end their open streams */
  readonly streamParts: readonly Part[]
  readonly demonstration: readonly Part[]
  /** whether the subgraphs of other processes accept this one */
  readonly agreement: SubgraphAgreement | undefined
}

/** Creates the gateway and the REST listeners of this process on one executor. Not loaded by a process without them. */
export async function clientListeners(composition: Composition, subgraphs: readonly Subgraph[]): Promise<ClientListeners> {
  const { config, roles, registries } = composition
  const telemetry = new GatewayTelemetry({ registry: registries.of('gateway'), slowMs: config.slowOperationMs })
  const { database, keyValue, feed } = composition.engines
  const entityCache = config.entityCache
    ? (await import('./cached-entities.ts')).cachedEntities(feed, keyValue.partition('entities'), composition.log)
    : undefined
  const federated = await federate(composition, subgraphs, telemetry, entityCache?.cache)
  const executor = entityCache?.readAfterWrites(federated.executor) ?? federated.executor
  const intake = new Intake(config.limits.intakeInflightBytes)
  const dependencies = {
    executor,
    authentication: authenticationOf(composition),
    intake,
    bodyThread: bodyThread(),
    gate: composition.gate,
    requests: composition.requests,
    telemetry,
    readinessProblem: () => composition.readiness.problem() ?? federated.agreement.problem,
  }
  const hasGateway = roles.gateway || servesPages(roles)
  const gateway = hasGateway ? await componentsGateway(composition, dependencies) : undefined
  const listening = gateway !== undefined && roles.gateway ? [gateway] : []
  return {
    engines: [database, ...(hasGateway || entityCache !== undefined ? [keyValue] : []), ...(entityCache === undefined ? [] : [feed])],
    agreement: federated.agreement,
    connections: compose('the graph', [
      federated.connections,
      federated.agreement,
      ...(entityCache === undefined ? [] : [entityCache.part]),
    ]),
    listeners: [
      ...listening,
      ...restListeners(composition, { ...dependencies, executor: observedExecutor(executor, telemetry), graphql: gateway?.part }),
    ],
    streamParts: gateway === undefined || listening.length > 0 ? [] : [gateway.part],
    demonstration: await demonstrationParts(composition, executor),
  }
}
