import { LeaseLost } from '../../../engines/relational/leadership/lease.ts'
import { EngineUnavailable, Fault } from '../../../foundation/fault.ts'
import { NewerFormat } from '../../../foundation/health/newer-format.ts'
import { pause } from '../../../foundation/lifecycle.ts'
import type { Log } from '../../../foundation/log.ts'
import { followChanges } from './follow-changes.ts'
import { rebuildRollUps } from './rebuild-roll-ups.ts'
import { type RollUpEngines, readState, rollUpFormat } from './roll-up-state.ts'

const retryMs = 1000

/**
 * Updates the roll-ups until the signal is aborted. Rebuilds them when they are missing, have another time zone, were built by a release
 * with other rules, or are older than the change log.
 * @throws {NewerFormat} for a change in a format of a newer release
 */
export async function maintainRollUps(engines: RollUpEngines, timezone: string, log: Log, signal: AbortSignal): Promise<void> {
  let lost = false
  while (!signal.aborted) {
    try {
      const state = await readState(engines.database.orm)
      if (lost || state?.timezone !== timezone || state.format < rollUpFormat) {
        const from = performance.now()
        const counted = await rebuildRollUps(engines, { timezone, signal })
        log.info({ counted, durationMs: Math.round(performance.now() - from) }, 'the roll-ups were built')
      }
      lost = (await followChanges(engines, log, signal)) === 'lost'
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof NewerFormat) throw error
      if (!(error instanceof EngineUnavailable || error instanceof Fault || error instanceof LeaseLost))
        log.error({ err: error }, 'the roll-ups could not be built; retrying')
      await pause(retryMs, signal)
    }
  }
}
