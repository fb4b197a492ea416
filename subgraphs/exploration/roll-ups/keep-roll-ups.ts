import { EngineUnavailable, Fault } from '../../foundation/fault.ts'
import { pause } from '../../foundation/lifecycle.ts'
import { followChanges, type RollUpEngines } from './follow-changes.ts'
import { rebuildRollUps } from './rebuild-roll-ups.ts'
import { readState } from './roll-up-state.ts'

const retryMs = 1000

/**
 * Keeps the roll-ups until the signal is aborted. They are built anew when there are none, when days are to be those of another time zone,
 * and when the change log no longer reaches back to where they stand.
 */
export async function keepRollUps(engines: RollUpEngines, timezone: string, signal: AbortSignal): Promise<void> {
  const { database, log } = engines
  let lost = false
  while (!signal.aborted) {
    try {
      const state = await readState(database.orm)
      if (lost || state?.timezone !== timezone) {
        const from = performance.now()
        const counted = await rebuildRollUps(engines, { timezone, signal })
        log.info({ counted, durationMs: Math.round(performance.now() - from) }, 'the roll-ups were built')
      }
      lost = (await followChanges(engines, signal)) === 'lost'
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof EngineUnavailable || error instanceof Fault))
        log.error({ err: error }, 'the roll-ups could not be built; trying on')
      await pause(retryMs, signal)
    }
  }
}
