import type { LoadGate } from '../foundation/concurrency/load-gate.ts'
import type { Config } from '../foundation/config/config.ts'
import type { Part } from '../foundation/lifecycle.ts'
import type { Log } from '../foundation/log.ts'
import type { BuildInfo } from '../foundation/process/build-info.ts'
import type { MetricRegistries } from '../foundation/process/metric-registries.ts'
import type { RequestNotes } from '../gateway/http/request-notes.ts'
import type { ServerCertificate } from '../gateway/http/server-certificate.ts'
import type { SharedEngines } from './engines/shared-engines.ts'
import type { Keys } from './process/keys/keys.ts'
import type { Admission } from './process/open-files.ts'
import type { Ports } from './process/ports.ts'
import type { Roles } from './process/roles.ts'

/** What every part of one process is made with. */
export interface Composition {
  readonly config: Config
  readonly roles: Roles
  readonly ports: Ports
  readonly keys: Keys
  readonly build: BuildInfo
  readonly log: Log
  readonly engines: SharedEngines
  /** asked by every listener before it begins something */
  readonly gate: LoadGate
  /** of the listeners of clients, where they speak HTTPS */
  readonly certificate: ServerCertificate | undefined
  /** within what listeners accept connections */
  readonly admission: Admission
  /** notes what every listener is asked and how it answers */
  readonly requests: RequestNotes
  /** where components keep their metrics */
  readonly registries: MetricRegistries
}

/** Something that listens, and what to tell about it once it does. */
export interface Listener {
  readonly part: Part
  readonly address: () => readonly [what: string, address: string]
}

/** A process that is put together but not started, and what there is to say about it once it is. */
export interface ComposedProcess {
  readonly part: Part
  readonly addresses: () => readonly (readonly [what: string, address: string])[]
  /** why engines that it needs are not there, a sentence each */
  readonly absences: () => readonly string[]
}
