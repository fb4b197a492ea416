import { newerSentence } from './newer-format.ts'
import { Stalled } from './stalled.ts'

/** Health of a component or of a service; the values are those of REST. */
export enum HealthStatus {
  OK = 'ok',
  DEGRADED = 'degraded',
  DOWN = 'down',
}

/** Returns DOWN if an essential service is down, DEGRADED if any other is not OK. */
export function statusOf(checks: readonly { readonly status: HealthStatus; readonly essential: boolean }[]): HealthStatus {
  if (checks.some(({ status, essential }) => essential && status === HealthStatus.DOWN)) return HealthStatus.DOWN
  return checks.every(({ status }) => status === HealthStatus.OK) ? HealthStatus.OK : HealthStatus.DEGRADED
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
