import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Deadline } from '../../../foundation/concurrency/deadline.ts'
import { castVote } from '../../../subgraphs/exploration/votes/cast-vote.ts'

/** Returns a store in which both kinds of votes succeed or fail alike. */
const storeOf = (cast: () => Promise<boolean>) => ({ castVote: cast, castPublicVote: cast })

/** Returns engines in which an expression is written after `pollsBefore` polls of the intake. */
function arriving(pollsBefore: number) {
  let polls = 0
  return {
    store: storeOf(async () => polls >= pollsBefore),
    intake: { holds: async () => polls++ < pollsBefore },
  }
}

const vote = (expressionId: string = randomUUID()) => ({ expressionId, value: 'agree', voter: 'ab' }) as const
const inTime = (timeoutMs = 60_000): Deadline => new Deadline({ timeoutMs })

describe('a vote on a recent expression', () => {
  it('waits until the expression is written', async () => {
    await castVote(arriving(3), vote(), inTime())
  })

  it('succeeds when the expression leaves the intake between two polls', async () => {
    let attempts = 0
    const store = storeOf(async () => ++attempts > 1)
    await castVote({ store, intake: { holds: async () => false } }, vote(), inTime())
  })

  it('is refused for an unknown expression and for an invalid id', async () => {
    const never = { store: storeOf(async () => false), intake: { holds: async () => false } }
    await expect(castVote(never, vote(), inTime())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const pending = { ...never, intake: { holds: async () => true } }
    await expect(castVote(pending, vote('rows'), inTime())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('ends at the deadline of its request', async () => {
    const stuck = { store: storeOf(async () => false), intake: { holds: async () => true } }
    await expect(castVote(stuck, vote(), inTime(200))).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('fails with nothing written while there is time left to answer', async () => {
    const stuck = { store: storeOf(async () => false), intake: { holds: async () => true } }
    const deadline = inTime(1000)
    await expect(castVote(stuck, vote(), deadline)).rejects.toMatchObject({ message: expect.stringContaining('not stored yet') })
    expect(deadline.signal.aborted).toBe(false)
  })

  it('is stored by its class: with an allowance it is unverified', async () => {
    const cast: string[] = []
    const store = {
      castVote: async () => cast.push('verified') > 0,
      castPublicVote: async () => cast.push('unverified') > 0,
    }
    const engines = { store, intake: { holds: async () => false } }
    await castVote(engines, vote(), inTime())
    const allowance = { day: '2026-11-27', address: 'ab', perExpression: 1, perDay: 1 }
    await castVote(engines, { ...vote(), allowance }, inTime())
    expect(cast).toEqual(['verified', 'unverified'])
  })
})
