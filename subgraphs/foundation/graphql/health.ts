import { Directive, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
import { messageOf } from '../fault.ts'

export enum HealthStatus {
  OK = 'ok',
  DEGRADED = 'degraded',
  DOWN = 'down',
}
registerEnumType(HealthStatus, {
  name: 'HealthStatus',
  description: 'ok: everything answers; degraded: something that can be done without is away; down: the component cannot work',
})

@Directive('@shareable')
@ObjectType({ description: 'One service that a component depends on, asked just now' })
export class HealthCheck {
  @Field(() => String, { description: 'Name of the service, as in the REST answer' })
  readonly name: string
  @Field(() => HealthStatus, { description: 'ok or down' })
  readonly status: HealthStatus
  @Field(() => String, { description: 'What stands behind the name: "postgresql", "bullmq on redis", …' })
  readonly engine: string
  @Field(() => Float, { description: 'Milliseconds until it answered' })
  readonly latencyMs: number
  @Field(() => String, { nullable: true, description: 'Why it is down; null when it is not' })
  readonly error: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'search_index: expressions in which it differed from the analytics database when they were last compared; null for others',
  })
  readonly drift: number | null

  constructor(name: string, status: HealthStatus, engine: string, latencyMs: number, error: string | null, drift: number | null = null) {
    this.name = name
    this.status = status
    this.engine = engine
    this.latencyMs = latencyMs
    this.error = error
    this.drift = drift
  }
}

@Directive('@shareable')
@ObjectType({ description: 'Whether a component can do its work' })
export class ComponentHealth {
  @Field(() => HealthStatus, { description: 'The whole' })
  readonly status: HealthStatus
  @Field(() => String, { description: 'Version of the component' })
  readonly version: string
  @Field(() => Int, { description: 'Seconds since the process that answers began' })
  readonly uptimeSeconds: number
  @Field(() => [HealthCheck], { description: 'The services it depends on' })
  readonly checks: readonly HealthCheck[]

  constructor(status: HealthStatus, version: string, uptimeSeconds: number, checks: readonly HealthCheck[]) {
    this.status = status
    this.version = version
    this.uptimeSeconds = uptimeSeconds
    this.checks = checks
  }
}

/** How a component asks one service whether it is there. */
export interface HealthProbe {
  readonly name: string
  readonly engine: string
  /** true when the component cannot work without it: its absence makes the whole `down` */
  readonly essential: boolean
  /** @throws anything, when the service is away */
  check(signal: AbortSignal): Promise<unknown>
  /** how much of what it holds differs from where it comes from, null when nobody knows; its failure is no failure of the service */
  drift?(): Promise<number | null>
}

const probeTimeoutMs = 1000

/** Asks every service at once, each for a second at most. Never fails: what does not answer is `down`. */
export async function examine(version: string, probes: readonly HealthProbe[]): Promise<ComponentHealth> {
  const checks = await Promise.all(probes.map(ask))
  const isDown = (probe: HealthProbe): boolean => checks.some((check) => check.name === probe.name && check.status === HealthStatus.DOWN)
  const missing = probes.filter(isDown)
  const status = missing.some((probe) => probe.essential) ? HealthStatus.DOWN : missing.length > 0 ? HealthStatus.DEGRADED : HealthStatus.OK
  return new ComponentHealth(status, version, Math.floor(process.uptime()), checks)
}

async function ask(probe: HealthProbe): Promise<HealthCheck> {
  const from = performance.now()
  const latency = (): number => Math.round((performance.now() - from) * 1000) / 1000
  const signal = AbortSignal.timeout(probeTimeoutMs)
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${probeTimeoutMs} ms`)), { once: true })
  })
  const drift = Promise.race([probe.drift?.() ?? null, timedOut]).catch(() => null)
  try {
    await Promise.race([probe.check(signal), timedOut])
    return new HealthCheck(probe.name, HealthStatus.OK, probe.engine, latency(), null, await drift)
  } catch (error) {
    return new HealthCheck(probe.name, HealthStatus.DOWN, probe.engine, latency(), messageOf(error), await drift)
  }
}
