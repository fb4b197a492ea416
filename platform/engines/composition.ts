import type { LoadGate } from '../../foundation/concurrency/load-gate.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { RequestTelemetry } from '../../foundation/http/request-telemetry.ts'
import type { ServerCertificate } from '../../foundation/http/server-certificate.ts'
import type { Part } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import type { BuildInfo } from '../../foundation/process/build-info.ts'
import type { MetricRegistries } from '../../foundation/process/metrics.ts'
import type { Readiness } from '../process/admission.ts'
import type { Keys } from '../process/keys/keys.ts'
import type { Admission } from '../process/open-files.ts'
import type { Ports } from '../process/ports.ts'
import type { Roles } from '../process/roles.ts'
import type { SharedEngines } from './shared-engines.ts'

/** The dependencies of all parts of a process. */
export interface Composition {
  readonly config: Config
  readonly roles: Roles
  readonly ports: Ports
  readonly keys: Keys
  readonly build: BuildInfo
  readonly log: Log
  readonly engines: SharedEngines
  /** checked by every listener before new work */
  readonly gate: LoadGate
  /** certificate of client listeners; undefined without HTTPS */
  readonly certificate: ServerCertificate | undefined
  /** limits of accepted connections */
  readonly admission: Admission
  /** whether the process accepts work */
  readonly readiness: Readiness
  /** records requests and responses of every listener */
  readonly requests: RequestTelemetry
  /** registries of component metrics */
  readonly registries: MetricRegistries
}

/** A listener, and the line to print when it is listening. */
export interface Listener {
  readonly part: Part
  readonly address: () => readonly [what: string, address: string]
}

/** A composed process that is not started, with the lines to print when it is. */
export interface ComposedProcess {
  readonly part: Part
  readonly addresses: () => readonly (readonly [what: string, address: string])[]
  /** returns why required engines are unavailable, one sentence each */
  readonly absences: () => readonly string[]
}
