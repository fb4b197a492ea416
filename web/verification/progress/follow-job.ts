import type { LiveResults } from './live-results.ts'
import { isTransient, type Result, type VerificationService } from './verification-service.ts'

/** Progress of a job. */
export interface JobProgress {
  readonly step: 'queued' | 'processing'
  /** the last request failed and is retried */
  readonly isLost: boolean
}

/** polling intervals while the live channel works, and while it does not */
const livePollMs = 3000
const pollMs = 1000
/** limit in ms: the user can try again */
const maxMs = 15 * 60_000

/**
 * Waits for the result, through live events or by polling; survives a lost connection.
 * @throws the service's refusal, or the last failure after 15 minutes
 */
export async function followJob(
  service: VerificationService,
  live: LiveResults,
  jobId: string,
  onChange: (progress: JobProgress) => void,
): Promise<Result> {
  const until = Date.now() + maxMs
  let step: JobProgress['step'] = 'queued'
  let isNotified = false
  const notified = live.finished(jobId).then(() => {
    isNotified = true
  })
  for (;;) {
    try {
      const { status } = await service.statusOf(jobId)
      if (status === 'completed' || status === 'error') return await service.resultOf(jobId)
      step = status
      onChange({ step, isLost: false })
    } catch (error) {
      if (!isTransient(error) || Date.now() > until) throw error
      onChange({ step, isLost: true })
    }
    await (isNotified || live.isBroken ? pause(pollMs) : Promise.race([notified, pause(livePollMs)]))
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
