import type { HealthProbe } from '../../foundation/health/health.ts'
import type { SharedEngines } from '../engines/shared-engines.ts'

export const keyValueProbe = ({ keyValue }: SharedEngines): HealthProbe => ({
  name: 'key_value_store',
  engine: keyValue.engine,
  essential: false,
  check: (signal) => keyValue.health(signal),
})
