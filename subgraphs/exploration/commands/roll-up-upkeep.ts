import { postgresCountableExpressions } from '../../../engines/analytics-store/postgres-countable-expressions.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import type { Database } from '../../../engines/relational/database.ts'
import { checkRollUps, type RollUpDrift } from '../roll-ups/check-roll-ups.ts'
import { rebuildRollUps } from '../roll-ups/rebuild-roll-ups.ts'

/** What an operator does with the roll-ups, beside a running platform or without one. */
export interface RollUpUpkeep {
  /** @param onProgress - with the expressions compared so far   @returns how the roll-ups differ; nothing is mended */
  check(onProgress: (compared: number) => void): Promise<RollUpDrift>
  /** @returns how many expressions were counted   @throws {Fault} CONFLICT when somebody else is at it */
  rebuild(onProgress: (counted: number) => void): Promise<number>
}

/** @param settings - `timezone`: IANA name, whose days are counted */
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
