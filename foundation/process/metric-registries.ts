import { Registry } from 'prom-client'

/** Where the components of a process keep their Prometheus metrics: a registry each; the metrics listener gives them all. */
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
