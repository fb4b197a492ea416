import type { MessageBacklog } from '../../../engines/message-queue/message-queue.ts'
import { pause } from '../../../foundation/lifecycle.ts'

const longestWaitMs = 1000
const lookEveryMs = 25

/**
 * Waits until expressions accepted before now are stored, so that a client finds its own expression in a list. Waits at most one second;
 * with a
 * longer queue the list has the stored ones.
 */
export async function untilWritten(queue: Pick<MessageBacklog, 'oldestAgeMs'>, signal: AbortSignal): Promise<void> {
  const begun = performance.now()
  for (let waitedMs = 0; waitedMs < longestWaitMs && !signal.aborted; waitedMs = performance.now() - begun) {
    const oldestMs = await queue.oldestAgeMs(signal)
    // younger messages arrived after this wait started; much older ones have no active writer
    if (oldestMs <= waitedMs || oldestMs > longestWaitMs + waitedMs) return
    await pause(lookEveryMs, signal)
  }
}
