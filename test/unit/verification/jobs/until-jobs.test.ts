import { describe, expect, it } from 'vitest'
import { EngineUnavailable } from '../../../../foundation/fault.ts'
import { untilJobs } from '../../../../subgraphs/verification/jobs/waiting-jobs.ts'

const empty = { waiting: 0, active: 0, delayed: 0 }
type Figures = typeof empty

/** A queue that answers in turn, and then the last answer for ever; whatever was thrown, it throws. */
function answering(...answers: readonly (Figures | EngineUnavailable)[]) {
  let asked = 0
  return {
    asked: () => asked,
    async metrics() {
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? empty
      if (answer instanceof EngineUnavailable) throw answer
      return answer
    },
  }
}

describe('waiting for the first job', () => {
  it.each(['waiting', 'active', 'delayed'] as const)('ends with one that is %s', async (state) => {
    const queue = answering(empty, { ...empty, [state]: 1 })
    await untilJobs(queue, AbortSignal.timeout(60_000))
    expect(queue.asked()).toBe(2)
  })

  it('outlasts a queue that is away', async () => {
    const queue = answering(new EngineUnavailable('queue'), { ...empty, waiting: 1 })
    await untilJobs(queue, AbortSignal.timeout(60_000))
    expect(queue.asked()).toBe(2)
  })

  it('ends, without a job, when the platform stops', async () => {
    const stopping = new AbortController()
    const queue = answering(empty)
    const waited = untilJobs(queue, stopping.signal)
    await expect.poll(() => queue.asked()).toBeGreaterThan(0)
    stopping.abort()
    await waited
  })
})
