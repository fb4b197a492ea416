import type { Database } from '../../../engines/relational/database.ts'
import type { Clock } from '../../../foundation/clock.ts'
import type { FileLine } from '../../../foundation/files/file-line.ts'
import { removeDelegations } from '../delegations/first-delegations.ts'
import { type Imported, importDelegations } from '../delegations/import-delegations.ts'

/** What an operator does with delegations, beside a running platform or without one. */
export interface DelegationUpkeep {
  /** @throws {InvalidInput} for a CSV whose header names no column of ours  @throws {EngineUnavailable} the lines before are kept */
  import(lines: AsyncIterable<FileLine>, format: 'ndjson' | 'csv'): Promise<Imported>
  /** @returns how many there were of this source  @throws {EngineUnavailable} */
  removeFrom(source: string): Promise<number>
}

export function delegationUpkeep(engines: { readonly database: Database; readonly clock: Clock }): DelegationUpkeep {
  return {
    import: (lines, format) => importDelegations(engines, lines, format),
    removeFrom: (source) => removeDelegations(engines.database, source),
  }
}
