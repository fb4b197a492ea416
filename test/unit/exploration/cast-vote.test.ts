import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { castVote } from '../../../subgraphs/exploration/votes/cast-vote.ts'
import { Deadline } from '../../../subgraphs/foundation/concurrency/deadline.ts'

/** An expression that is written after so many looks. */
function arriving(looksBefore: number) {
  let looks = 0
  return {
    store: { castVote: async () => looks >= looksBefore },
    intake: { holds: async () => looks++ < looksBefore },
  }
}

const vote = (expressionId: string = randomUUID()) => ({ expressionId, value: 'agree', voter: 'ab' }) as const
const inTime = (timeoutMs = 60_000): Deadline => new Deadline({ timeoutMs })

describe('a vote on what was said a moment ago', () => {
  it('waits until the expression is written', async () => {
    await castVote(arriving(3), vote(), inTime())
  })

  it('finds what was written and left the intake between two looks', async () => {
    let asked = 0
    const store = { castVote: async () => ++asked > 1 }
    await castVote({ store, intake: { holds: async () => false } }, vote(), inTime())
  })

  it('is refused for what nobody said, and for what is no id', async () => {
    const never = { store: { castVote: async () => false }, intake: { holds: async () => false } }
    await expect(castVote(never, vote(), inTime())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const mentioned = { ...never, intake: { holds: async () => true } }
    await expect(castVote(mentioned, vote('rows'), inTime())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('ends with the time of its request', async () => {
    const stuck = { store: { castVote: async () => false }, intake: { holds: async () => true } }
    await expect(castVote(stuck, vote(), inTime(200))).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('is told that nothing was done while there is time to say so', async () => {
    const stuck = { store: { castVote: async () => false }, intake: { holds: async () => true } }
    const deadline = inTime(1000)
    await expect(castVote(stuck, vote(), deadline)).rejects.toMatchObject({ message: expect.stringContaining('not written yet') })
    expect(deadline.signal.aborted).toBe(false)
  })
})
