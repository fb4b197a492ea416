import type { MessageBacklog } from '../../../engines/message-queue/message-queue.ts'
import { pause } from '../../../foundation/lifecycle.ts'

const longestWaitMs = 1000
const lookEveryMs = 25

/**
 * Waits until what was answered before now is written into the analytics store, so that whoever said something finds it in a list. A second
 * at most: where more waits than is written in that time, the list tells what is there.
 */
export async function untilWritten(queue: Pick<MessageBacklog, 'oldestAgeMs'>, signal: AbortSignal): Promise<void> {
  const begun = performance.now()
  for (let waitedMs = 0; waitedMs < longestWaitMs && !signal.aborted; waitedMs = performance.now() - begun) {
    const oldestMs = await queue.oldestAgeMs(signal)
    // what is younger than this wait came after it began; what is older than any wait has nobody who writes it
    if (oldestMs <= waitedMs || oldestMs > longestWaitMs + waitedMs) return
    await pause(lookEveryMs, signal)
  }
}
