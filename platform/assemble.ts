import { auditCounter } from '../engines/audit/audit-trail.ts'
import type { Membership } from '../engines/relational/processes/process-registry.ts'
import { requestTelemetry } from '../foundation/http/request-telemetry.ts'
import { compose, composeConcurrently, type Part } from '../foundation/lifecycle.ts'
import { MetricRegistries } from '../foundation/process/metrics.ts'
import { keyValueProbe } from './components/component.ts'
import { buildComponents } from './components/components.ts'
import type { ComposedProcess, Composition } from './engines/composition.ts'
import { registerDatabaseGauges } from './engines/database-gauges.ts'
import { searchIndexIdentity } from './engines/search-indices.ts'
import { openSharedEngines } from './engines/shared-engines.ts'
import { listenersCertificate } from './listeners/listeners-certificate.ts'
import { subgraphListeners } from './listeners/subgraph-listeners.ts'
import { countingGate, createReadiness, drainDelayOf } from './process/admission.ts'
import { clientKeysWarning } from './process/keys/client-keys-warning.ts'
import { createMetricsServer } from './process/metrics-server.ts'
import { admissionWithin } from './process/open-files.ts'
import { registerDiskGauges, registerHealthGauges } from './process/process-gauges.ts'
import { namesOf, shortNamesOf } from './process/roles.ts'
import { secretFilesWatch } from './process/secret-files.ts'
import { tracing } from './process/tracing.ts'

/**
 * Composes the parts of the chosen roles in start order; they stop in reverse order. Does not start them. @param claims - claims of these roles on
 * DATA_DIR, released last
 */
export async function assemble(
  basis: Omit<Composition, 'engines' | 'registries' | 'gate' | 'admission' | 'readiness' | 'requests' | 'certificate'>,
  claims: Part,
): Promise<ComposedProcess> {
  const { config, roles, ports, keys, log } = basis
  const registries = new MetricRegistries()
  const membership: Membership = {
    roles: namesOf(roles),
    label: shortNamesOf(roles),
    build: basis.build,
    poolSize: config.database.poolSize,
    sharesServer: config.database.directUrls === undefined,
    keys: keys.held,
    searchIndex: [...roles.subgraphs, ...roles.workers].includes('classification') ? searchIndexIdentity(config) : undefined,
  }
  const engines = await openSharedEngines(config, keys.vault, roles.all, log, auditCounter(registries.of('audit')), membership)
  const gate = countingGate(config.limits, registries.of('load gate'))
  const requests = requestTelemetry({ registry: registries.of('http'), accessLog: config.accessLog ? log : undefined })
  const readiness = createReadiness(drainDelayOf(config, roles))
  const admission = admissionWithin(config, roles, log, readiness.isDraining)
  const certificate = roles.gateway || roles.rest.length > 0 ? listenersCertificate(config, registries, log) : undefined
  const composition: Composition = { ...basis, engines, registries, gate, admission, readiness, requests, certificate }
  const components = await buildComponents(roles, composition)
  const internal = subgraphListeners(composition, components.subgraphs)
  const clients = await clientsOf(composition, components.subgraphs)
  const issuers = issuersOf(composition)
  const opened = [
    ...new Set([...(issuers.length > 0 ? [engines.database, engines.keyValue] : []), ...components.engines, ...clients.engines]),
  ]
  if (opened.includes(engines.database)) registerDatabaseGauges(registries.of('database'), engines.database, config.expectedProcesses)
  const { database, keyValue } = engines
  registerHealthGauges(registries.of('health'), components.subgraphs, [
    ...(clients.engines.includes(database)
      ? [{ name: 'database', engine: 'postgresql', essential: true, check: (signal: AbortSignal) => database.health(signal) }]
      : []),
    ...(clients.engines.includes(keyValue) || issuers.length > 0 ? [keyValueProbe(engines)] : []),
  ])
  registerDiskGauges(registries.of('disk'), [
    { setting: 'DATA_DIR', path: config.dataDir },
    ...(config.vaultFolder === undefined ? [] : [{ setting: 'VAULT_DIR', path: config.vaultFolder }]),
    { setting: 'CONTENT_SNAPSHOT', path: config.content.snapshotFolder },
  ])
  const { version } = basis.build
  const metrics = createMetricsServer({
    host: config.metrics.host,
    ...ports.metrics,
    log,
    roles: shortNamesOf(roles),
    build: basis.build,
    ready: () => readiness.isReady,
    problem: () => readiness.problem() ?? clients.agreement?.problem,
    registries,
  })
  const traces = tracing(config.traces, { version, roles: namesOf(roles).join(' ') || 'all', log })
  const part = compose('civigraph', [
    claims,
    traces,
    gate,
    ...(certificate === undefined ? [] : [certificate.watch]),
    ...(config.secretFiles.length === 0 ? [] : [secretFilesWatch(config.secretFiles, log)]),
    ...opened,
    ...warningsOf(composition),
    ...issuers,
    ...internal.map((listener) => listener.part),
    ...components.parts,
    clients.connections,
    composeConcurrently('listeners', [...clients.listeners.map((listener) => listener.part), ...clients.streamParts]),
    metrics,
    readiness,
    ...clients.demonstration,
  ])
  const addresses = [...internal, ...clients.listeners].map((listener) => listener.address)
  return {
    part,
    addresses: () => [...addresses.map((address) => address()), ['metrics', `${metrics.url}/metrics`]],
    absences: () => opened.flatMap(({ absence }) => (absence === undefined ? [] : [absence])),
  }
}

/** Loads the gateway code only for roles that use it. */
async function clientsOf(composition: Composition, subgraphs: Parameters<typeof subgraphListeners>[1]) {
  const { roles } = composition
  if (!roles.gateway && roles.rest.length === 0)
    return {
      engines: [],
      connections: compose('no connections', []),
      listeners: [],
      streamParts: [],
      demonstration: [],
      agreement: undefined,
    }
  const { clientListeners } = await import('./listeners/client-listeners.ts')
  return clientListeners(composition, subgraphs)
}

/** The embedded issuer runs in processes of administration, where users sign in. */
function issuersOf({ roles, engines }: Composition): readonly Part[] {
  const { embedded } = engines.identity
  const administers = roles.subgraphs.includes('administration') || roles.rest.includes('administration')
  return embedded !== undefined && administers ? [embedded] : []
}

function warningsOf({ roles, keys, engines, log }: Composition): readonly Part[] {
  const takesJobs = roles.gateway || roles.rest.includes('verification')
  return takesJobs ? [clientKeysWarning(keys.apiKeys.length, engines.serviceKeys, log)] : []
}
