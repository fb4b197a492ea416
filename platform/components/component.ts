import { type AuditNote, auditCounter } from '../../engines/audit/audit-trail.ts'
import type { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { BuildInfo } from '../../foundation/process/build-info.ts'
import type { MetricRegistries } from '../../foundation/process/metrics.ts'
import type { Subgraph } from '../../foundation/subgraph/subgraph.ts'
import type { SharedEngines } from '../engines/shared-engines.ts'
import type { Keys } from '../process/keys/keys.ts'

export interface ComponentOptions {
  readonly engines: SharedEngines
  readonly config: Config
  readonly build: BuildInfo
  readonly log: Log
  /** without them, pseudonyms differ from one start to the next */
  readonly keys?: Pick<Keys, 'apiKeys' | 'pseudonym' | 'expression' | 'callbackSecrets' | 'deduplication' | 'developmentAdministrators'>
  /** receives the queues of waiting writes */
  readonly gate?: LoadGate
  /** registries of component metrics */
  readonly registries?: MetricRegistries
}

/** Returns the counter of audit records. */
export const auditNoteOf = ({ registries }: ComponentOptions): AuditNote | undefined => registries && auditCounter(registries.of('audit'))

/** A component with its dependencies; two roles of a process may share one. */
interface WithNeeds {
  /** required engines in the order in which they are opened, before any part starts; other engines stay closed */
  readonly engines: readonly Part[]
  /** parts that start before it and run beside it */
  readonly background: readonly Part[]
}

/** How the platform builds a component. Building opens no engine. */
export interface Component {
  subgraph(options: ComponentOptions): Promise<{ readonly subgraph: Subgraph } & WithNeeds>
  /** absent if the component has no background work */
  worker?(options: ComponentOptions): ({ readonly worker: Part } & WithNeeds) | Promise<{ readonly worker: Part } & WithNeeds>
  /** runs in each process of the subgraph and starts after the workers */
  upkeep?(options: ComponentOptions): Part
}

export const keyValueProbe = ({ keyValue }: SharedEngines): HealthProbe => ({
  name: 'key_value_store',
  engine: keyValue.engine,
  essential: false,
  check: (signal) => keyValue.health(signal),
})
