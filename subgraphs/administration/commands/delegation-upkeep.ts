import type { Database } from '../../../engines/relational/database.ts'
import type { Clock } from '../../../foundation/clock.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { removeDelegations } from '../delegations/first-delegations.ts'
import { type Imported, importDelegations } from '../delegations/import-delegations.ts'

/** Maintenance of delegations by an operator, with or without a running platform. */
export interface DelegationUpkeep {
  /** @throws {InvalidInput} for a CSV header without a known column  @throws {EngineUnavailable} lines before the failure are stored */
  import(lines: AsyncIterable<FileLine>, format: 'ndjson' | 'csv'): Promise<Imported>
  /** @returns the number of delegations removed  @throws {EngineUnavailable} */
  removeFrom(source: string): Promise<number>
}

export function delegationUpkeep(engines: { readonly database: Database; readonly clock: Clock }): DelegationUpkeep {
  return {
    import: (lines, format) => importDelegations(engines, lines, format),
    removeFrom: (source) => removeDelegations(engines.database, source),
  }
}
