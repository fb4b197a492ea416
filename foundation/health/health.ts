import { Directive, Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
import { messageOf } from '../fault.ts'
import { newerSentence } from './newer-format.ts'
import { Stalled } from './stalled.ts'

export enum HealthStatus {
  OK = 'ok',
  DEGRADED = 'degraded',
  DOWN = 'down',
}
registerEnumType(HealthStatus, {
  name: 'HealthStatus',
  description: 'OK: all services answer; DEGRADED: an optional service is unavailable, or work is stalled; DOWN: the component cannot work',
})

@Directive('@shareable')
@ObjectType({ description: 'State of one service that a component depends on, checked for this request' })
export class HealthCheck {
  @Field(() => String, { description: 'Name of the service, as in the REST response' })
  readonly name: string
  @Field(() => HealthStatus, { description: 'OK, DOWN, or DEGRADED: it answers, but its work is stalled' })
  readonly status: HealthStatus
  @Field(() => String, { description: 'Implementation: "postgresql", "bullmq on redis", …' })
  readonly engine: string
  @Field(() => Float, { description: 'Response time in milliseconds' })
  readonly latencyMs: number
  @Field(() => String, { nullable: true, description: 'Reason of a status other than OK; null if OK' })
  readonly error: string | null
  @Field(() => Int, {
    nullable: true,
    description:
      'search_index: number of expressions in which it differed from the analytics database at the last comparison; null for other services',
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
@ObjectType({ description: 'Health of a component' })
export class ComponentHealth {
  @Field(() => HealthStatus, { description: 'The whole' })
  readonly status: HealthStatus
  @Field(() => String, { description: 'Version of the component' })
  readonly version: string
  @Field(() => Int, { description: 'Seconds since the process that answers started' })
  readonly uptimeSeconds: number
  @Field(() => [HealthCheck], { description: 'Services that the component depends on' })
  readonly checks: readonly HealthCheck[]

  constructor(status: HealthStatus, version: string, uptimeSeconds: number, checks: readonly HealthCheck[]) {
    this.status = status
    this.version = version
    this.uptimeSeconds = uptimeSeconds
    this.checks = checks
  }
}

/** A health check of one service. */
export interface HealthProbe {
  readonly name: string
  readonly engine: string
  /** true if the component cannot work without it: its failure makes the component `down` */
  readonly essential: boolean
  /** @throws {Stalled} if it answers but its work is stalled; anything else if it is unavailable */
  check(signal: AbortSignal): Promise<unknown>
  /** Returns how many of its records differ from their source, null if unknown; a rejection does not make the service fail. */
  drift?(): Promise<number | null>
}

/** how long work may wait before its worker counts as stalled, ms */
export const stalledAfterMs = 30_000

/**
 * @param waitingMs - wait of the oldest work
 * @throws {Stalled} if that is too long
 */
export function refuseStalled(what: string, waitingMs: number): void {
  if (waitingMs > stalledAfterMs) throw new Stalled(`${what} has been waiting for ${Math.floor(waitingMs / 1000)} s`)
}

/**
 * @param what - plural noun
 * @param waiting - number of items that only a newer release can process
 * @throws {Stalled} if there are any
 */
export function refuseNewer(what: string, waiting: number): void {
  if (waiting > 0) throw new Stalled(`${newerSentence(what)}: ${waiting}`)
}

/**
 * @param what - plural noun
 * @param dead - number of dead letters
 * @throws {Stalled} if there are any
 */
export function refuseDead(what: string, dead: number): void {
  if (dead > 0) throw new Stalled(`${what} that no worker could handle await an operator (dead-letters list): ${dead}`)
}

const probeTimeoutMs = 1000

/** Checks every service concurrently, each for at most 1 s. Never rejects: a service that does not answer is `down`. */
export async function examine(version: string, probes: readonly HealthProbe[]): Promise<ComponentHealth> {
  const checks = await Promise.all(probes.map(ask))
  const status = statusOf(checks.map(({ status }, index) => ({ status, essential: probes[index]?.essential === true })))
  return new ComponentHealth(status, version, Math.floor(process.uptime()), checks)
}

/** Returns DOWN if an essential service is down, DEGRADED if any other is not OK. */
export function statusOf(checks: readonly { readonly status: HealthStatus; readonly essential: boolean }[]): HealthStatus {
  if (checks.some(({ status, essential }) => essential && status === HealthStatus.DOWN)) return HealthStatus.DOWN
  return checks.every(({ status }) => status === HealthStatus.OK) ? HealthStatus.OK : HealthStatus.DEGRADED
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
    const status = error instanceof Stalled ? HealthStatus.DEGRADED : HealthStatus.DOWN
    return new HealthCheck(probe.name, status, probe.engine, latency(), messageOf(error), await drift)
  }
}
