import { Query, Resolver } from 'type-graphql'
import { ComponentHealth, examine, type HealthProbe } from './health.ts'

/** Creates the field `<component>Health` of a component. */
export function healthResolver(component: string, version: string, probes: readonly HealthProbe[]): object {
  @Resolver()
  class HealthResolver {
    @Query(() => ComponentHealth, { name: `${component}Health`, description: `Health of the component ${component}.` })
    health(): Promise<ComponentHealth> {
      return examine(version, probes)
    }
  }
  return new HealthResolver()
}
