import { Counter, type Registry } from 'prom-client'
import { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'
import { type Part, pause } from '../../foundation/lifecycle.ts'
import type { Roles } from './roles.ts'

/** Whether the process accepts work: started after all serving parts, stopped before them. */
export interface Readiness extends Part {
  readonly isReady: boolean
  /** whether the process is about to stop: it still serves, but balancers must send requests to others */
  readonly isDraining: () => boolean
  /** returns why the process must not get requests, one sentence */
  readonly problem: () => string | undefined
}

/**
 * @param drainDelayMs - how long a stop waits for balancers: a request that they send on a connection which this process closes at that moment
 * would get no response
 */
export function createReadiness(drainDelayMs: number): Readiness {
  let isReady = false
  let isDraining = false
  return {
    name: 'readiness',
    get isReady() {
      return isReady
    },
    isDraining: () => isDraining,
    problem: () => (isDraining ? 'This process is about to stop' : undefined),
    async start() {
      isReady = true
    },
    async stop() {
      isReady = false
      isDraining = true
      await pause(drainDelayMs)
    },
  }
}

/** Returns DRAIN_DELAY_MS for a process with listeners that a balancer can send requests to; 0 for workers. */
export const drainDelayOf = ({ drainDelayMs }: Pick<Config, 'drainDelayMs'>, { gateway, rest, subgraphs }: Roles): number =>
  gateway || rest.length > 0 || subgraphs.length > 0 ? drainDelayMs : 0

/** Creates the load gate of a process from OVERLOAD_WAIT_MS, with a Prometheus counter of refusals. */
export function countingGate({ overloadWaitMs }: Pick<Config['limits'], 'overloadWaitMs'>, registry: Registry): LoadGate {
  const shed = new Counter({
    name: 'civigraph_shed_requests_total',
    help: 'Work refused before it began because other work had waited too long',
    labelNames: ['protocol', 'reason'] as const,
    registers: [registry],
  })
  return new LoadGate(overloadWaitMs || Number.POSITIVE_INFINITY, (protocol, reason) => shed.inc({ protocol, reason }))
}
