import { describe, expect, it } from 'vitest'
import { EngineUnavailable } from '../../../../foundation/fault.ts'
import { untilJobs } from '../../../../subgraphs/verification/jobs/waiting-jobs.ts'

const empty = { waiting: 0, active: 0, delayed: 0 }
type Figures = typeof empty

/** Returns a queue that gives these answers in turn, then repeats the last; an error is thrown. */
function answering(...answers: readonly (Figures | EngineUnavailable)[]) {
  let calls = 0
  return {
    calls: () => calls,
    async metrics() {
      const answer = answers[Math.min(calls++, answers.length - 1)] ?? empty
      if (answer instanceof EngineUnavailable) throw answer
      return answer
    },
  }
}

describe('waiting for the first job', () => {
  it.each(['waiting', 'active', 'delayed'] as const)('ends when a job is %s', async (state) => {
    const queue = answering(empty, { ...empty, [state]: 1 })
    await untilJobs(queue, AbortSignal.timeout(60_000))
    expect(queue.calls()).toBe(2)
  })

  it('continues while the queue is unavailable', async () => {
    const queue = answering(new EngineUnavailable('queue'), { ...empty, waiting: 1 })
    await untilJobs(queue, AbortSignal.timeout(60_000))
    expect(queue.calls()).toBe(2)
  })

  it('ends without a job when the platform stops', async () => {
    const stopping = new AbortController()
    const queue = answering(empty)
    const waited = untilJobs(queue, stopping.signal)
    await expect.poll(() => queue.calls()).toBeGreaterThan(0)
    stopping.abort()
    await waited
  })
})
