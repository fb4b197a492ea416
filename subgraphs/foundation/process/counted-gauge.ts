import { Gauge, type Registry } from 'prom-client'

/** A gauge that asks for its value when it is read; a question that fails leaves the last answer. */
export function countedGauge(name: string, help: string, registry: Registry, count: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await count().catch(() => undefined)
      if (value !== undefined) this.set(value)
    },
  })
}
