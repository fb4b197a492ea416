import { Counter, Gauge, type Registry } from 'prom-client'

/** Prometheus metrics of /ws. */
export interface StreamMetrics {
  clients(count: number): void
  /** counts events sent or omitted, per client */
  sent(count: number): void
  dropped(): void
  closed(code: number): void
}

/** @param registry - of component C */
export function streamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry]
  const clients = new Gauge({ name: 'civigraph_ws_clients', help: 'Clients of /ws that are connected', registers })
  const sent = new Counter({ name: 'civigraph_ws_events_total', help: 'Events for clients of /ws', registers })
  const dropped = new Counter({ name: 'civigraph_ws_dropped_events_total', help: 'Events omitted for slow readers', registers })
  const closed = new Counter({
    name: 'civigraph_ws_closed_total',
    help: 'Closed connections of /ws',
    labelNames: ['code'] as const,
    registers,
  })
  return {
    clients: (count) => clients.set(count),
    sent: (count) => sent.inc(count),
    dropped: () => dropped.inc(),
    // codes chosen by clients share one series
    closed: (code) => closed.inc({ code: documentedCodes.has(code) ? String(code) : 'other' }),
  }
}

const documentedCodes = new Set([1000, 1001, 1005, 1006, 1008, 1009, 1013, 4400, 4401, 4403])
