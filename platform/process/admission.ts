import { Counter, type Registry } from 'prom-client'
import { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Part } from '../../foundation/lifecycle.ts'

/** Started after all serving parts and stopped before them: whether the process accepts work. */
export function createReadiness(): Part & { readonly isReady: boolean } {
  let isReady = false
  return {
    name: 'readiness',
    get isReady() {
      return isReady
    },
    async start() {
      isReady = true
    },
    async stop() {
      isReady = false
    },
  }
}

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
