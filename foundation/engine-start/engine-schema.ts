/** A pending migration step of an engine. */
export interface PendingStep {
  readonly name: string
  /** how it will run, or the result of a previous attempt */
  readonly how: string
}

export interface SchemaStatus {
  /** `major.number`, for engines that have versions */
  readonly version?: string
  /** number of applied steps */
  readonly applied: number
  readonly pending: readonly PendingStep[]
  /** steps that remove something an older release needs: applied only on request */
  readonly contracts: readonly string[]
  /** additions of a newer release that this release ignores */
  readonly newer: readonly string[]
  /** reasons why this release cannot use the schema, one sentence each; nothing is applied while there is one */
  readonly problems: readonly string[]
}

export interface ApplyOptions {
  readonly signal: AbortSignal
  /** also apply steps that remove something; default: false */
  readonly contract?: boolean
  /** called with each step done or awaited */
  readonly onProgress: (sentence: string) => void
}

/** The schema that an engine needs before roles use it, such as tables and indices. `migrate` applies it; roles do so with MIGRATE=on. */
export interface EngineSchema {
  /** name shown to operators */
  readonly engine: string
  /** Returns the status without changing anything. */
  status(signal: AbortSignal): Promise<SchemaStatus>
  /** Applies the pending steps and completes a step that was interrupted. @throws {Error} naming the step that failed */
  apply(options: ApplyOptions): Promise<void>
}
