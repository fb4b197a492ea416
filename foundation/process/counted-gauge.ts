import type { Registry } from 'prom-client'
import { askedGauges } from './asked-gauges.ts'

/** A gauge that asks for its one value when it is read, as others of the database do. */
export const countedGauge = (name: string, help: string, registry: Registry, count: () => Promise<number>): void =>
  askedGauges(registry, count)(name, help, (value) => value)
