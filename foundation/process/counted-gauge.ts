import type { Registry } from 'prom-client'
import { askedGauges } from './asked-gauges.ts'

/** Creates a gauge that queries its single value when it is read. */
export const countedGauge = (name: string, help: string, registry: Registry, count: () => Promise<number>): void =>
  askedGauges(registry, count)(name, help, (value) => value)
