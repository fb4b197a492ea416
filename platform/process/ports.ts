import { type ComponentName, componentNames } from '../../subgraphs/foundation/component-names.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import type { Roles } from './roles.ts'
import type { WantedPort } from './start-checks.ts'

/** The ports of a process. 0 stands for any free one. */
export interface Ports {
  readonly gateway: number
  readonly metrics: number
  rest(component: ComponentName): number
  subgraph(component: ComponentName): number
  /** those that this process must be able to listen on */
  readonly wanted: readonly WantedPort[]
}

/** GraphQL on PORT_BASE, REST on the next five, metrics on +9 (of `all`; of other processes any), subgraphs on +11 to +15. */
export function portsOf({ portBase, bindAddress, metrics: { host, port } }: Config, roles: Roles): Ports {
  const at = (offset: number): number => (portBase === 0 ? 0 : portBase + offset)
  const rest = (component: ComponentName): number => at(1 + componentNames.indexOf(component))
  const subgraph = (component: ComponentName): number => at(11 + componentNames.indexOf(component))
  const metrics = port ?? (roles.all ? at(9) : 0)
  const wanted: WantedPort[] = [
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
    { port: metrics, host, what: 'metrics', setting: port === undefined ? 'PORT_BASE' : 'METRICS_PORT' },
  ]
  return { gateway: at(0), metrics, rest, subgraph, wanted: wanted.filter(({ port: wish }) => wish !== 0) }
}
