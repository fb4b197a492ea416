import { Query, Resolver } from 'type-graphql'
import { ComponentHealth, examine, type HealthProbe } from './health.ts'

/** The field `<component>Health` that every component has. */
export function healthResolver(component: string, version: string, probes: readonly HealthProbe[]): object {
  @Resolver()
  class HealthResolver {
    @Query(() => ComponentHealth, { name: `${component}Health`, description: `Whether ${component} can do its work` })
    health(): Promise<ComponentHealth> {
      return examine(version, probes)
    }
  }
  return new HealthResolver()
}
