import type { JobQueue } from '../../../engines/job-queue/job-queue.ts'
import { pause } from '../../../foundation/lifecycle.ts'

const askEveryMs = 300
const answerWithinMs = 2000

/** Resolves when the queue has a job, waiting or held by a possibly dead worker. Retries while the queue is unavailable. */
export async function untilJobs(queue: Pick<JobQueue, 'metrics'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await holdsJobs(queue, signal))) await pause(askEveryMs, signal)
}

async function holdsJobs(queue: Pick<JobQueue, 'metrics'>, signal: AbortSignal): Promise<boolean> {
  try {
    const { waiting, active, delayed } = await queue.metrics(AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]))
    return waiting + active + delayed > 0
  } catch {
    return false
  }
}
