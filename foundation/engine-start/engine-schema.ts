/** Something that the schema of an engine lacks. */
export interface PendingStep {
  readonly name: string
  /** how it will run, or what became of a first try */
  readonly how: string
}

export interface SchemaStatus {
  /** `major.number`, where the engine counts them */
  readonly version?: string
  /** how many steps are there */
  readonly applied: number
  readonly pending: readonly PendingStep[]
  /** what takes something away that an older release needs: done only when asked for */
  readonly contracts: readonly string[]
  /** what a newer release has added: this one goes on without knowing it */
  readonly newer: readonly string[]
  /** why this release cannot use it, a sentence each; nothing is applied while there is one */
  readonly problems: readonly string[]
}

export interface ApplyOptions {
  readonly signal: AbortSignal
  /** also what takes something away; default: no */
  readonly contract?: boolean
  /** told what was done, and what is waited for */
  readonly onProgress: (sentence: string) => void
}

/** What an engine must hold before roles use it, such as tables and indices. `migrate` makes it; roles do with MIGRATE=on. */
export interface EngineSchema {
  /** as an operator knows it */
  readonly engine: string
  /** Reads only. */
  status(signal: AbortSignal): Promise<SchemaStatus>
  /** Brings it forward; what a try before this one has left half-way is finished. @throws {Error} naming the step that fails */
  apply(options: ApplyOptions): Promise<void>
}
