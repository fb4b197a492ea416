import { VerificationFinishedDocument } from '@civigraph/client/documents'
import { graphClient } from '../../shared/graph/graph-client.ts'

/** What the graph tells of jobs of a service as they become final. */
export interface LiveResults {
  /** resolves once the job is known to be final; never where nothing is heard of it */
  finished(jobId: string): Promise<void>
  /** nothing more will be heard: the connection was lost, or the key may not listen */
  readonly isBroken: boolean
  close(): void
}

/** Listens from now on: a job that is submitted afterwards cannot end unheard. @param send - shows the key of the service */
export function liveResults(send: typeof fetch): LiveResults {
  const heard = new Set<string>()
  const waiting = new Map<string, () => void>()
  let isBroken = false
  const { unsubscribe } = graphClient(send)
    .subscription(VerificationFinishedDocument, {})
    .subscribe(({ data, error, stale, hasNext }) => {
      if (error !== undefined || (hasNext === false && !stale)) isBroken = true
      const jobId = data?.verificationFinished?.job?.id
      if (jobId === undefined) return
      heard.add(jobId)
      waiting.get(jobId)?.()
    })
  return {
    finished: (jobId) => new Promise((resolve) => (heard.has(jobId) ? resolve() : void waiting.set(jobId, resolve))),
    get isBroken() {
      return isBroken
    },
    close: unsubscribe,
  }
}
