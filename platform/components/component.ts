import { auditCounter } from '../../engines/audit/audit-counter.ts'
import type { AuditNote } from '../../engines/audit/audit-trail.ts'
import type { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Subgraph } from '../../foundation/graphql/subgraph.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { BuildInfo } from '../../foundation/process/build-info.ts'
import type { MetricRegistries } from '../../foundation/process/metric-registries.ts'
import type { SharedEngines } from '../engines/shared-engines.ts'
import type { Keys } from '../process/keys/keys.ts'

export interface ComponentOptions {
  readonly engines: SharedEngines
  readonly config: Config
  readonly build: BuildInfo
  readonly log: Log
  /** without them nobody is recognised from one start to the next */
  readonly keys?: Pick<Keys, 'apiKeys' | 'pseudonym' | 'expression' | 'callbackSecrets' | 'deduplication' | 'developmentAdministrators'>
  /** is told of the queues in which writes wait */
  readonly gate?: LoadGate
  /** where components keep their metrics */
  readonly registries?: MetricRegistries
}

/** What counts the records of the audit trail. */
export const auditNoteOf = ({ registries }: ComponentOptions): AuditNote | undefined => registries && auditCounter(registries.of('audit'))

/** What was built, with what it needs; two roles of a process may name the same part. */
interface WithNeeds {
  /** the engines that it uses, in the order in which they are opened, before anything of it starts; no others are */
  readonly engines: readonly Part[]
  /** parts that run beside it and start before it */
  readonly background: readonly Part[]
}

/** How the platform builds a component. Building touches no engine. */
export interface Component {
  subgraph(options: ComponentOptions): Promise<{ readonly subgraph: Subgraph } & WithNeeds>
  /** absent where there is nothing to do outside requests */
  worker?(options: ComponentOptions): ({ readonly worker: Part } & WithNeeds) | Promise<{ readonly worker: Part } & WithNeeds>
  /** runs wherever the subgraph does, and starts after the workers */
  upkeep?(options: ComponentOptions): Part
}
