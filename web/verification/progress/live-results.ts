import { VerificationFinishedDocument } from '@civigraph/client/documents'
import { graphClient } from '../../shared/graph/graph-client.ts'

/** Live events about finished jobs of a service. */
export interface LiveResults {
  /** resolves when the job is finished; stays pending without an event */
  finished(jobId: string): Promise<void>
  /** no further events: the connection was lost, or the key may not subscribe */
  readonly isBroken: boolean
  close(): void
}

/**
 * Subscribes before a job is submitted, so that its event cannot be missed.
 * @param send - `fetch` that adds the service key
 */
export function liveResults(send: typeof fetch): LiveResults {
  const finished = new Set<string>()
  const waiting = new Map<string, () => void>()
  let isBroken = false
  const { unsubscribe } = graphClient(send)
    .subscription(VerificationFinishedDocument, {})
    .subscribe(({ data, error, stale, hasNext }) => {
      if (error !== undefined || (hasNext === false && !stale)) isBroken = true
      const jobId = data?.verificationFinished?.job?.id
      if (jobId === undefined) return
      finished.add(jobId)
      waiting.get(jobId)?.()
    })
  return {
    finished: (jobId) => new Promise((resolve) => (finished.has(jobId) ? resolve() : void waiting.set(jobId, resolve))),
    get isBroken() {
      return isBroken
    },
    close: unsubscribe,
  }
}
