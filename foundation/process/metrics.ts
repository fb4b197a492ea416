import { Gauge, Registry } from 'prom-client'
import { withTimeout } from '../concurrency/timeout.ts'

/** The Prometheus registries of the components of a process; the metrics listener combines them. */
export class MetricRegistries {
  readonly #registries = new Map<string, Registry>()

  of(component: string): Registry {
    const registry = this.#registries.get(component) ?? new Registry()
    this.#registries.set(component, registry)
    return registry
  }

  all(): readonly Registry[] {
    return [...this.#registries.values()]
  }
}

/** below Prometheus' scrape timeout: if the query fails, the other metrics are still returned */
const defaultLimitMs = 2000

/** The value of a gauge, undefined if absent; or several values by label. */
type GaugeReader<Answer> = (answer: Answer) => number | undefined | Readonly<Record<string, number>>

/**
 * Creates gauges that share one database query per scrape. They report nothing while the database is unavailable or slow; the next query waits for
 * the pending one.
 * @param ask - queries the values
 * @param limitMs - how long a scrape waits for the query
 * @returns adds a gauge; `label`: name of the label if it has several values
 */
export function queriedGauges<Answer>(registry: Registry, ask: () => Promise<Answer>, limitMs = defaultLimitMs) {
  let pending: Promise<Answer | undefined> | undefined
  const answer = (): Promise<Answer | undefined> => {
    pending ??= ask()
      .catch(() => undefined)
      .finally(() => {
        pending = undefined
      })
    return withTimeout(pending, limitMs, undefined, () => new Error(`no response within ${limitMs} ms`)).catch(() => undefined)
  }
  return (name: string, help: string, read: GaugeReader<Answer>, label?: string): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      ...(label !== undefined && { labelNames: [label] }),
      async collect() {
        const current = await answer()
        // `reset` would set a gauge without labels to 0, a valid value
        if (label === undefined) this.remove()
        else this.reset()
        if (current === undefined) return
        const numbers = read(current)
        if (typeof numbers === 'number') this.set(numbers)
        else for (const [value, number] of Object.entries(numbers ?? {})) this.set({ [label ?? '']: value }, number)
      },
    })
  }
}

/** Creates a gauge that queries its single value when it is read. */
export const countedGauge = (name: string, help: string, registry: Registry, count: () => Promise<number>): void =>
  queriedGauges(registry, count)(name, help, (value) => value)
