import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../engines/relational/database.ts'
import { liveProcesses, placeOf } from '../../engines/relational/processes/live-processes.ts'
import { systemClock } from '../../foundation/clock.ts'
import { validatedScalars } from '../../foundation/graphql/scalars.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import { type BuildInfo, type ComponentName, compareReleases, componentNames, projectFolder } from '../../foundation/process/build-info.ts'
import type { Subgraph } from '../../foundation/subgraph/subgraph.ts'
import type { EntityCache } from '../../gateway/caching/entity-cache.ts'
import { createExecutor, type Executor } from '../../gateway/executor/executor.ts'
import type { GatewayTelemetry } from '../../gateway/pipeline/telemetry/gateway-telemetry.ts'
import { inProcessSource } from '../../gateway/sources/in-process-source.ts'
import { principalTokens } from '../../gateway/sources/principal-token.ts'
import { remoteSource } from '../../gateway/sources/remote-source.ts'
import { type SubgraphAgreement, subgraphAgreement } from '../../gateway/sources/subgraph-agreement.ts'
import type { SubgraphSource } from '../../gateway/sources/subgraph-source.ts'
import type { SubgraphDefinition } from '../../gateway/supergraph/supergraph.ts'
import { createNodes } from '../../subgraphs/nodes/index.ts'
import type { Composition } from '../engines/composition.ts'

/** Composes the five components and their nodes into one graph: subgraphs of this process are called directly, others over HTTP. */
export async function federate(
  { config, ports, keys, build, log, engines }: Composition,
  own: readonly Subgraph[],
  telemetry: GatewayTelemetry,
  entityCache?: EntityCache,
): Promise<{ readonly executor: Executor; readonly connections: Part; readonly agreement: SubgraphAgreement }> {
  const tokens = principalTokens(keys.principalSigning, systemClock, keys.previousPrincipalSigning)
  const components = componentNames.map((name) => {
    const subgraph = own.find((each) => each.name === name)
    if (subgraph !== undefined) return { name, sdl: subgraph.sdl, source: inProcessSource(subgraph) }
    const url = config.subgraphUrls[name] ?? `http://${config.bindAddress}:${ports.subgraph(name)}/graphql`
    return { name, sdl: printed(name), source: remoteSource({ name, url, tokens }), remoteUrl: url }
  })
  const ofComponents = Object.fromEntries(components.map(({ name, source }) => [name, source])) as Readonly<
    Record<ComponentName, SubgraphSource>
  >
  const nodes = createNodes((component, operation) => ofComponents[component].fetch({ ...operation, operationName: undefined }))
  const members = [...components, { name: nodes.name, sdl: nodes.sdl, source: inProcessSource(nodes) }]
  const sources = Object.fromEntries(members.map(({ name, source }) => [name, source]))
  const executor = createExecutor({
    supergraph: await supergraphOf(members, [...own, nodes]),
    sources,
    eventTimeoutMs: config.limits.requestTimeoutMs,
    telemetry,
    scalars: validatedScalars,
    // Civigraph's subgraphs authorise their fields themselves; an authorization directive in one of them would still be enforced
    authorization: {},
    entityCache,
  })
  const remote = components.flatMap((each) => ('remoteUrl' in each ? [{ name: each.name, url: each.remoteUrl }] : []))
  return {
    executor,
    connections: subgraphConnections(sources),
    agreement: subgraphAgreement({ subgraphs: remote, tokens, build, log, olderProcesses: () => olderSubgraphs(engines.database, build) }),
  }
}

/** Returns the running processes with subgraphs of an older build, by name and machine. */
async function olderSubgraphs({ orm }: Database, { version, schemaLevel }: BuildInfo): Promise<readonly string[]> {
  const running = (await liveProcesses(orm)).filter(({ roles }) => roles.some((role) => role.startsWith('subgraph:')))
  return running
    .filter((process) => (compareReleases(process.release, version) || process.schemaLevel - schemaLevel) < 0)
    .map((process) => `${placeOf(process).replace(/^t/, 'T')}, schema level ${process.schemaLevel},`)
}

/** Returns the printed supergraph if the own subgraphs are unchanged: composition takes a second per start. */
async function supergraphOf(
  members: readonly SubgraphDefinition[],
  own: readonly Pick<SubgraphDefinition, 'name' | 'sdl'>[],
): Promise<string> {
  if (own.every(({ name, sdl }) => sdl === printed(name))) return printed('supergraph')
  const { composeSupergraph } = await import('../../gateway/supergraph/supergraph.ts')
  return composeSupergraph(members)
}

const printed = (name: string): string => readFileSync(join(projectFolder, `schema/${name}.graphql`), 'utf8')

/** Closes the connections to subgraphs after the parts that use them have stopped. */
const subgraphConnections = (sources: Readonly<Record<string, SubgraphSource>>): Part => ({
  name: 'subgraph connections',
  start: async () => undefined,
  stop: async () => void (await Promise.all(Object.values(sources).map((source) => source.stop()))),
})
