import { postgresCountableExpressions } from '../../../engines/analytics-store/postgres-countable-expressions.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { checkRollUps, type RollUpDrift } from '../roll-ups/check-roll-ups.ts'
import { rebuildRollUps } from '../roll-ups/rebuild-roll-ups.ts'

/** Maintenance of the roll-ups by an operator, with or without a running platform. */
export interface RollUpUpkeep {
  /** @param onProgress - receives the number of expressions compared  @returns the differences; nothing is changed */
  check(onProgress: (compared: number) => void): Promise<RollUpDrift>
  /** @returns the number of expressions counted  @throws {Fault} CONFLICT when another process is rebuilding */
  rebuild(onProgress: (counted: number) => void): Promise<number>
}

/** @param settings - `timezone`: IANA name of the time zone that defines days */
export function rollUpUpkeep(
  engines: { readonly database: Database; readonly feed: EventFeed },
  { timezone, signal }: { readonly timezone: string; readonly signal: AbortSignal },
): RollUpUpkeep {
  const counted = { ...engines, expressions: postgresCountableExpressions }
  return {
    check: (onProgress) => checkRollUps(counted, { signal, onProgress }),
    rebuild: (onProgress) => rebuildRollUps(counted, { timezone, signal, onProgress }),
  }
}
