import { Counter, type Registry } from 'prom-client'
import { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'

/** The load gate of a process, as OVERLOAD_WAIT_MS has it; Prometheus hears what it refuses. */
export function countingGate({ overloadWaitMs }: Pick<Config['limits'], 'overloadWaitMs'>, registry: Registry): LoadGate {
  const shed = new Counter({
    name: 'civigraph_shed_requests_total',
    help: 'Work that was refused before it was begun, since other work waited too long',
    labelNames: ['protocol', 'reason'] as const,
    registers: [registry],
  })
  return new LoadGate(overloadWaitMs || Number.POSITIVE_INFINITY, (protocol, reason) => shed.inc({ protocol, reason }))
}
