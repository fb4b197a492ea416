import { memoryKeyValue } from '../engines/key-value/memory-key-value.ts'
import type { Config } from '../foundation/config/config.ts'
import { Intake } from '../foundation/http/read-body.ts'
import { requestTelemetry } from '../foundation/http/request-telemetry.ts'
import { compose } from '../foundation/lifecycle.ts'
import type { Log } from '../foundation/log.ts'
import type { BuildInfo } from '../foundation/process/build-info.ts'
import { MetricRegistries } from '../foundation/process/metrics.ts'
import { EntityCache } from '../gateway/caching/entity-cache.ts'
import type { AuthorizationOptions } from '../gateway/executor/caller-authorization.ts'
import { GatewayTelemetry } from '../gateway/pipeline/telemetry/gateway-telemetry.ts'
import type { OverrideLabels } from '../gateway/planning/override-labels.ts'
import { supergraphGateway } from '../gateway/server/supergraph-gateway.ts'
import { fileOrigin, type SupergraphOrigin, urlOrigin } from '../gateway/supergraph/supergraph-origin.ts'
import type { ComposedProcess } from './engines/composition.ts'
import { decisionModule } from './listeners/decision-module.ts'
import { foreignCallers } from './listeners/foreign-callers.ts'
import { gatewayListener } from './listeners/gateway-listener.ts'
import { listenersCertificate } from './listeners/listeners-certificate.ts'
import { countingGate, createReadiness } from './process/admission.ts'
import { createMetricsServer } from './process/metrics-server.ts'
import { admissionWithin } from './process/open-files.ts'
import type { Ports } from './process/ports.ts'
import type { Roles } from './process/roles.ts'
import { reloadSignal } from './process/signals.ts'
import { tracing } from './process/tracing.ts'

/**
 * Composes the gateway over any Federation 2 supergraph, which is reloaded when its source changes. Subgraphs are remote, at the URLs in it or in
 * SUBGRAPH_URLS, and get the headers of PROPAGATE_HEADERS. Callers are authenticated if an issuer or keys are set, and authorised by the supergraph's
 * directives. Needs no engine: persisted queries are kept in memory.
 * @throws {Error} if the supergraph is invalid, a subgraph has no URL, or it protects fields but callers are not authenticated
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
  const registries = new MetricRegistries()
  const telemetry = new GatewayTelemetry({ registry: registries.of('gateway'), slowMs: config.slowOperationMs })
  const requests = requestTelemetry({ registry: registries.of('http'), accessLog: config.accessLog ? log : undefined })
  const keyValue = memoryKeyValue()
  const gate = countingGate(config.limits, registries.of('load gate'))
  const readiness = createReadiness(config.drainDelayMs)
  const admission = admissionWithin(config, { gateway: true, rest: [] }, log, readiness.isDraining)
  const certificate = listenersCertificate(config, registries, log)
  const gateway = await supergraphGateway({
    origin,
    everyMs: config.supergraphPollMs,
    version: build.version,
    log,
    urls: config.subgraphUrls,
    requestTimeoutMs,
    overrideLabels: await overrideLabelsOf(config),
    telemetry,
    entityCache: config.entityCache ? new EntityCache({ store: keyValue.partition('entities'), log }) : undefined,
    authorization: callers.areVerified ? await authorizationOf(config) : undefined,
    listener: async (graph) => {
      const own = {
        ...graph,
        telemetry,
        mayReadPlans: () => config.exposesPlans,
        authentication: callers.authentication,
        keyValue,
        intake: new Intake(intakeInflightBytes),
        gate,
        requests,
        readinessProblem: readiness.problem,
      }
      return (await gatewayListener({ config, build, log, certificate, admission }, own, [], ports.gateway)).part
    },
  })
  const { version } = build
  const metrics = createMetricsServer({
    host: config.metrics.host,
    ...ports.metrics,
    log,
    roles: 'gateway',
    build,
    ready: () => readiness.isReady,
    problem: readiness.problem,
    registries,
  })
  return {
    part: compose('gateway', [
      tracing(config.traces, { version, roles: 'gateway', log }),
      gate,
      ...(certificate === undefined ? [] : [certificate.watch]),
      keyValue,
      gateway,
      reloadSignal(gateway.poll),
      metrics,
      readiness,
    ]),
    addresses: () => [
      ['GraphQL', `${gateway.url}/graphql`],
      ...gateway.addresses.map(([name, url]): readonly [string, string] => [`subgraph ${name}`, url]),
      ['metrics', `${metrics.url}/metrics`],
    ],
    absences: () => [],
  }
}

/** Returns the labels that are on for all requests, or the module that decides. */
async function overrideLabelsOf({ overrideLabels, overrideModule: module }: Config): Promise<OverrideLabels> {
  return module === undefined ? overrideLabels : await decisionModule('OVERRIDE_MODULE', module)
}

async function authorizationOf({ authorization }: Config): Promise<AuthorizationOptions> {
  const { policyModule: module, policyField, reject, refusalsIn } = authorization
  return {
    reject,
    refusalsIn,
    ...(module === undefined ? {} : { policies: await decisionModule('POLICY_MODULE', module) }),
    ...(policyField === undefined ? {} : { policyField }),
  }
}

/** Returns the source set by SUPERGRAPH_FILE or SUPERGRAPH_URL. */
export function originOf({ supergraphFile, supergraphUrl }: Pick<Config, 'supergraphFile' | 'supergraphUrl'>): SupergraphOrigin {
  return supergraphUrl === undefined ? fileOrigin(supergraphFile ?? '') : urlOrigin(supergraphUrl)
}

/** Returns the conflicts of SUPERGRAPH_FILE and SUPERGRAPH_URL with other settings, one sentence each. */
export function supergraphProblems(
  { supergraphFile: file, supergraphUrl: url }: Pick<Config, 'supergraphFile' | 'supergraphUrl'>,
  roles: Roles,
): readonly string[] {
  const isGatewayAlone = roles.gateway && !roles.all && roles.subgraphs.length + roles.workers.length + roles.rest.length === 0
  return [
    ...(file !== undefined && url !== undefined ? ['both SUPERGRAPH_FILE and SUPERGRAPH_URL are set: unset one of them'] : []),
    ...((file === undefined && url === undefined) || isGatewayAlone
      ? []
      : ['SUPERGRAPH_FILE and SUPERGRAPH_URL need a process with the gateway role only: npm start -- gateway']),
  ]
}
