import { Directive, Field, Float, Int, ObjectType } from 'type-graphql'
import { registerEnum } from '../graphql/enum-type.ts'
import { HealthStatus } from './health-status.ts'

registerEnum(HealthStatus, {
  name: 'HealthStatus',
  description: 'Health of a component or of a service.',
  values: {
    OK: 'All services respond.',
    DEGRADED: 'The component works with limits: a service that it can do without is unavailable, or queued work is not being processed.',
    DOWN: 'The component cannot work.',
  },
})

@Directive('@shareable')
@ObjectType({ description: 'The health of a service that a component depends on, checked for this request.' })
export class HealthCheck {
  @Field(() => String, { description: 'Name of the service, as in the REST response.' })
  readonly name!: string
  @Field(() => HealthStatus, {
    description: 'OK; DEGRADED when the service responds but queued work is not being processed; DOWN when it does not respond.',
  })
  readonly status!: HealthStatus
  @Field(() => String, { description: 'Product that implements the service, such as "postgresql" or "bullmq on redis".' })
  readonly engine!: string
  @Field(() => Float, { description: 'Response time in milliseconds.' })
  readonly latencyMs!: number
  @Field(() => String, { nullable: true, description: 'Reason why the status is not OK; null when it is.' })
  readonly error!: string | null
  @Field(() => Int, {
    nullable: true,
    description:
      'For search_index: number of expressions that differed from the analytics database in the most recent comparison; null for other services.',
  })
  readonly drift!: number | null
}

@Directive('@shareable')
@ObjectType({ description: 'The health of a component.' })
export class ComponentHealth {
  @Field(() => HealthStatus, { description: 'Overall status.' })
  readonly status!: HealthStatus
  @Field(() => String, { description: 'Version of the component.' })
  readonly version!: string
  @Field(() => String, { description: 'Source revision of the build, or "unknown".' })
  readonly commit!: string
  @Field(() => Int, { description: 'Number of the newest database migration that the build knows; it orders builds of one release.' })
  readonly schemaLevel!: number
  @Field(() => Int, { description: 'Seconds since the start of the responding process.' })
  readonly uptimeSeconds!: number
  @Field(() => [HealthCheck], { description: 'The services that the component depends on.' })
  readonly checks!: readonly HealthCheck[]
}
