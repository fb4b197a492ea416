import { Counter, Histogram, type Registry } from 'prom-client'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const weights = [1, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]

/** Prometheus metrics of the gateway. */
export interface GatewayMetrics {
  readonly operation: Histogram<'type' | 'operation' | 'outcome'>
  readonly fetch: Histogram<'subgraph' | 'outcome'>
  readonly plan: Histogram
  readonly cost: Histogram
  readonly lag: Histogram
  readonly entities: Counter<'subgraph' | 'outcome'>
}

export function gatewayMetrics(registry: Registry): GatewayMetrics {
  const registers = [registry]
  return {
    operation: new Histogram({
      name: 'civigraph_gateway_operation_seconds',
      help: 'Time from the admission of an operation to its result, or to the start of a subscription',
      labelNames: ['type', 'operation', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
    fetch: new Histogram({
      name: 'civigraph_gateway_fetch_seconds',
      help: 'Fetches of query plans, by subgraph',
      labelNames: ['subgraph', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
    plan: new Histogram({
      name: 'civigraph_gateway_plan_seconds',
      help: 'Time to plan an operation that was not cached',
      buckets: seconds,
      registers,
    }),
    cost: new Histogram({
      name: 'civigraph_gateway_operation_cost',
      help: 'Estimated cost of operations, including refused ones',
      buckets: weights,
      registers,
    }),
    entities: new Counter({
      name: 'civigraph_gateway_cached_entities_total',
      help: 'Cacheable entities, by whether they were cached',
      labelNames: ['subgraph', 'outcome'] as const,
      registers,
    }),
    lag: new Histogram({
      name: 'civigraph_gateway_subscription_lag_seconds',
      help: 'Time from the arrival of an event from a subgraph to its last write to a client',
      buckets: seconds,
      registers,
    }),
  }
}
