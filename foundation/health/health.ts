import { EngineUnavailable, messageOf } from '../fault.ts'
import { readBuildInfo } from '../process/build-info.ts'
import type { ComponentHealth, HealthCheck } from './health.type.ts'
import { HealthStatus, statusOf } from './health-status.ts'
import { KnownReason, Stalled } from './stalled.ts'

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
  const { commit, schemaLevel } = readBuildInfo()
  return { status, version, commit, schemaLevel, uptimeSeconds: Math.floor(process.uptime()), checks }
}

async function ask(probe: HealthProbe): Promise<HealthCheck> {
  const { name, engine } = probe
  const from = performance.now()
  const latency = (): number => Math.round((performance.now() - from) * 1000) / 1000
  const signal = AbortSignal.timeout(probeTimeoutMs)
  const timedOut = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no response within ${probeTimeoutMs} ms`)), { once: true })
  })
  const drift = Promise.race([probe.drift?.() ?? null, timedOut]).catch(() => null)
  try {
    await Promise.race([probe.check(signal), timedOut])
    return { name, engine, status: HealthStatus.OK, latencyMs: latency(), error: null, drift: await drift }
  } catch (error) {
    const { status, reason } = failureOf(error, probe)
    return { name, engine, status, latencyMs: latency(), error: reason, drift: await drift }
  }
}
