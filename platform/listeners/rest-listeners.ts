import type { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Authentication } from '../../foundation/http/authentication.ts'
import type { Intake } from '../../foundation/http/read-body.ts'
import type { RequestTelemetry } from '../../foundation/http/request-telemetry.ts'
import type { ComponentName } from '../../foundation/process/build-info.ts'
import type { Executor } from '../../gateway/executor/executor.ts'
import type { GatewayTelemetry } from '../../gateway/pipeline/telemetry/gateway-telemetry.ts'
import type { GatewayServer } from '../../gateway/server/gateway-server.ts'
import { createExpressionStream } from '../../rest-adapters/classification/stream/expression-stream.ts'
import type { DevelopmentCredentials } from '../../rest-adapters/documentation/describing-routes.ts'
import { createRealtime } from '../../rest-adapters/exploration/realtime/realtime.ts'
import type { BodyThread } from '../../rest-adapters/request/large-body.ts'
import { type Mount, type RestServerOptions, restServer } from '../../rest-adapters/rest-server.ts'
import { routesOf } from '../../rest-adapters/routes.ts'
import type { Composition, Listener } from '../engines/composition.ts'
import type { Keys } from '../process/keys/keys.ts'
import { sampleCitizens } from './sample-citizens.ts'

/** Dependencies of all client entry points of this process. */
export interface ListenerDependencies {
  readonly executor: Executor
  readonly authentication: Authentication
  readonly intake: Intake
  /** decodes large bodies */
  readonly bodyThread: BodyThread
  readonly gate: LoadGate
  /** records requests and responses */
  readonly requests: RequestTelemetry
  /** records executed operations */
  readonly telemetry: GatewayTelemetry
  /** returns why this process must not get requests, one sentence */
  readonly readinessProblem: () => string | undefined
  /** GraphQL endpoint of the pages, if one is served */
  readonly graphql: Pick<GatewayServer, 'handle'> | undefined
}

/** Components with a page, which queries the whole graph. */
const withPage: readonly ComponentName[] = ['verification', 'exploration', 'administration', 'content']

/** Whether this process serves a page that needs the GraphQL endpoint. */
export const servesPages = ({ rest }: Composition['roles']): boolean => rest.some((component) => withPage.includes(component))

/** Creates the REST listener of each component of this process, on its own port. */
export function restListeners(composition: Composition, dependencies: ListenerDependencies): readonly Listener[] {
  const { config, roles, ports, log, keys, certificate, admission } = composition
  const trial = documentationCredentials(config, keys)
  return roles.rest.map((component) => {
    const routes = routesOf(component, config, trial)
    const port = ports.rest(component)
    const { mounts, sockets } = mountsAndSockets(component, composition, dependencies)
    const graph = withPage.includes(component) && dependencies.graphql ? [{ path: '/graphql', handle: dependencies.graphql.handle }] : []
    const beside = { mounts: [...mounts, ...graph], ...(sockets && { sockets }) }
    const part = restServer({ component, routes, ...dependencies, config, log, port, certificate, listening: admission.clients, ...beside })
    return { part, address: () => [part.name, part.address] }
  })
}

/** Returns further handlers on a component's port: sockets, and the embedded issuer. */
function mountsAndSockets(
  component: ComponentName,
  { config, engines, registries, keys, log, admission }: Composition,
  { executor, authentication, gate }: ListenerDependencies,
): { readonly mounts: readonly Mount[] } & Pick<RestServerOptions, 'sockets'> {
  const { embedded: issuer } = engines.identity
  if (component === 'administration') return { mounts: issuer === undefined ? [] : [issuer] }
  // credentials are filled in only in development on this machine
  if (component === 'verification') return { mounts: documentationCredentials(config, keys).key === undefined ? [] : [sampleCitizens(log)] }
  const processSlots = admission.sockets
  if (component === 'exploration')
    return { mounts: [], sockets: createRealtime({ executor, gate: gate.forProtocol('socket.io'), log, processSlots }, config) }
  if (component !== 'classification') return { mounts: [] }
  const registry = registries.of(component)
  const { trustedProxies, clientsPerAddress } = config
  const limits = { ...config.stream, clientsPerAddress }
  const stream = { executor, authentication, gate: gate.forProtocol('ws'), log, registry, limits, trustedProxies, processSlots }
  return { mounts: [], sockets: createExpressionStream(stream) }
}

/** Serves the development key and account to `/docs`, to this machine only. */
export function documentationCredentials(
  { production, bindAddress }: Pick<Config, 'production' | 'bindAddress'>,
  { developmentApiKey: key, developmentAdministrators: people }: Pick<Keys, 'developmentApiKey' | 'developmentAdministrators'>,
): DevelopmentCredentials {
  if (production || !/^(127\.|::1$|localhost$)/.test(bindAddress)) return {}
  return { ...(key !== undefined && { key }), ...(people !== undefined && { account: people.superAdmin }) }
}
