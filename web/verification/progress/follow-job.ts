import type { LiveResults } from './live-results.ts'
import { isForAMoment, type Result, type VerificationService } from './verification-service.ts'

/** How far a job has come, for whoever waits. */
export interface Standing {
  readonly step: 'queued' | 'processing'
  /** the last question was not answered; it is asked again */
  readonly isLost: boolean
}

/** the state of a job is asked so often while its end is told by itself, and while it is not */
const besideMs = 3000
const aloneMs = 1000
/** whoever waits longer asks again by themselves */
const longestMs = 15 * 60_000

/**
 * Waits for the result: its end is told as it comes, and asked for where nothing can be told. A connection that is lost is waited for.
 * @throws what the service refused, or the last failure after a quarter of an hour
 */
export async function followJob(
  service: VerificationService,
  live: LiveResults,
  jobId: string,
  tell: (standing: Standing) => void,
): Promise<Result> {
  const until = Date.now() + longestMs
  let step: Standing['step'] = 'queued'
  let isTold = false
  const told = live.finished(jobId).then(() => {
    isTold = true
  })
  for (;;) {
    try {
      const { status } = await service.statusOf(jobId)
      if (status === 'completed' || status === 'error') return await service.resultOf(jobId)
      step = status
      tell({ step, isLost: false })
    } catch (error) {
      if (!isForAMoment(error) || Date.now() > until) throw error
      tell({ step, isLost: true })
    }
    await (isTold || live.isBroken ? pause(aloneMs) : Promise.race([told, pause(besideMs)]))
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
