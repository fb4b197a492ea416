import { Directive, Field, Float, Int, ObjectType } from 'type-graphql'
import { EngineUnavailable, messageOf } from '../fault.ts'
import { registerEnum } from '../graphql/enum-type.ts'
import { type BuildInfo, readBuildInfo } from '../process/build-info.ts'
import { newerSentence } from './newer-format.ts'
import { KnownReason, Stalled } from './stalled.ts'

export enum HealthStatus {
  OK = 'ok',
  DEGRADED = 'degraded',
  DOWN = 'down',
}
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
  readonly name: string
  @Field(() => HealthStatus, {
    description: 'OK; DEGRADED when the service responds but queued work is not being processed; DOWN when it does not respond.',
  })
  readonly status: HealthStatus
  @Field(() => String, { description: 'Product that implements the service, such as "postgresql" or "bullmq on redis".' })
  readonly engine: string
  @Field(() => Float, { description: 'Response time in milliseconds.' })
  readonly latencyMs: number
  @Field(() => String, { nullable: true, description: 'Reason why the status is not OK; null when it is.' })
  readonly error: string | null
  @Field(() => Int, {
    nullable: true,
    description:
      'For search_index: number of expressions that differed from the analytics database in the most recent comparison; null for other services.',
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
@ObjectType({ description: 'The health of a component.' })
export class ComponentHealth {
  @Field(() => HealthStatus, { description: 'Overall status.' })
  readonly status: HealthStatus
  @Field(() => String, { description: 'Version of the component.' })
  readonly version: string
  @Field(() => String, { description: 'Source revision of the build, or "unknown".' })
  readonly commit: string
  @Field(() => Int, { description: 'Number of the newest database migration that the build knows; it orders builds of one release.' })
  readonly schemaLevel: number
  @Field(() => Int, { description: 'Seconds since the start of the responding process.' })
  readonly uptimeSeconds: number
  @Field(() => [HealthCheck], { description: 'The services that the component depends on.' })
  readonly checks: readonly HealthCheck[]

  constructor(status: HealthStatus, { version, commit, schemaLevel }: BuildInfo, uptimeSeconds: number, checks: readonly HealthCheck[]) {
    this.status = status
    this.version = version
    this.commit = commit
    this.schemaLevel = schemaLevel
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

/** A check that fails because the database is unavailable says nothing about another engine. */
function failureOf(error: unknown, { engine }: HealthProbe): { readonly status: HealthStatus; readonly reason: string } {
  const isDatabase = error instanceof EngineUnavailable && error.details.engine === 'database'
  const known = error instanceof EngineUnavailable && error.cause instanceof KnownReason ? error.cause.message : messageOf(error)
  if (isDatabase && !engine.includes('postgresql')) return { status: HealthStatus.DEGRADED, reason: `It could not be checked: ${known}` }
  return { status: error instanceof Stalled ? HealthStatus.DEGRADED : HealthStatus.DOWN, reason: known }
}

const probeTimeoutMs = 1000

const running = new WeakMap<HealthProbe, Promise<HealthCheck>>()

/** Callers that want the same check at one time get the result of one: anonymous clients cannot multiply the questions to a service. */
function shared(probe: HealthProbe): Promise<HealthCheck> {
  const current = running.get(probe)
  if (current !== undefined) return current
  const check = ask(probe).finally(() => running.delete(probe))
  running.set(probe, check)
  return check
}

/** Asks every service at once, each for a second at most. Never fails: what does not answer is `down`. */
export async function examine(version: string, probes: readonly HealthProbe[]): Promise<ComponentHealth> {
  const checks = await Promise.all(probes.map(shared))
  const status = statusOf(checks.map(({ status }, index) => ({ status, essential: probes[index]?.essential === true })))
  return new ComponentHealth(status, { ...readBuildInfo(), version }, Math.floor(process.uptime()), checks)
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
    signal.addEventListener('abort', () => reject(new Error(`no response within ${probeTimeoutMs} ms`)), { once: true })
  })
  const drift = Promise.race([probe.drift?.() ?? null, timedOut]).catch(() => null)
  try {
    await Promise.race([probe.check(signal), timedOut])
    return new HealthCheck(probe.name, HealthStatus.OK, probe.engine, latency(), null, await drift)
  } catch (error) {
    const { status, reason } = failureOf(error, probe)
    return new HealthCheck(probe.name, status, probe.engine, latency(), reason, await drift)
  }
}
