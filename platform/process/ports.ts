import type { Config } from '../../foundation/config/config.ts'
import { type ComponentName, componentNames } from '../../foundation/process/build-info.ts'
import { namesOf, type Roles, roleNames } from './roles.ts'
import type { RequiredPort } from './start-checks.ts'

export interface MetricsPort {
  readonly port: number
  /** whether another port may be used: it was not configured, and a second worker on the machine has no other */
  readonly mayMove: boolean
}

/** The ports of a process; 0 means any free port. */
export interface Ports {
  readonly gateway: number
  readonly metrics: MetricsPort
  rest(component: ComponentName): number
  subgraph(component: ComponentName): number
  /** ports that must be available */
  readonly wanted: readonly RequiredPort[]
}

/** base port of metrics for a process without all roles: by the first of its roles */
const metricsOfRoles = 20

/**
 * GraphQL on PORT_BASE, REST on the next five, metrics on +9, subgraphs on +11 to +15; metrics of other processes on +20 (gateway), +21 to +25
 * (subgraphs), +26 to +28 (workers), +29 to +33 (REST).
 */
export function portsOf({ portBase, bindAddress, metrics: { host, port } }: Config, roles: Roles): Ports {
  const at = (offset: number): number => (portBase === 0 ? 0 : portBase + offset)
  const rest = (component: ComponentName): number => at(1 + componentNames.indexOf(component))
  const subgraph = (component: ComponentName): number => at(11 + componentNames.indexOf(component))
  const usual = at(roles.all ? 9 : metricsOfRoles + roleNames.indexOf(namesOf(roles)[0] ?? ''))
  const metrics = { port: port ?? usual, mayMove: port === undefined && !roles.all }
  const wanted: RequiredPort[] = [
    ...(roles.gateway ? [{ port: at(0), host: bindAddress, what: 'GraphQL', setting: 'PORT_BASE' }] : []),
    ...roles.rest.map((component) => ({
      port: rest(component),
      host: bindAddress,
      what: `the REST interface of ${component}`,
      setting: 'PORT_BASE',
    })),
    ...(roles.all
      ? []
      : roles.subgraphs.map((component) => ({
          port: subgraph(component),
          host: bindAddress,
          what: `the subgraph ${component}`,
          setting: 'PORT_BASE',
        }))),
    ...(metrics.mayMove ? [] : [{ port: metrics.port, host, what: 'metrics', setting: port === undefined ? 'PORT_BASE' : 'METRICS_PORT' }]),
  ]
  return { gateway: at(0), metrics, rest, subgraph, wanted: wanted.filter(({ port: wish }) => wish !== 0) }
}
