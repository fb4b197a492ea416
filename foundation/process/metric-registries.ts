import { Registry } from 'prom-client'

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
